import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { emptyFolder, type Packed, packedPackages, publicEntries, readManifest, unpack } from './packed.ts'

const folders = new Map<string, string>()

/** The folder that a tarball was unpacked into. */
const unpacked = ({ name, tarball }: Packed): string => {
  const folder = folders.get(name) ?? join(emptyFolder('unpacked'), name)
  if (!folders.has(name)) unpack(tarball, folder)
  folders.set(name, folder)
  return folder
}

/** The sources that a map names and that are not there. */
const missingSources = (folder: string, map: string): ReadonlyArray<string> => {
  const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8')) as { sources: Array<string> }
  return sources.filter((source) => !existsSync(join(folder, dirname(map), source)))
}

t.test('every package passes publint', async (t) => {
  for (const { name, tarball } of packedPackages()) {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    })
    t.strictSame(
      messages.map((message) => formatMessage(message, pkg)),
      [],
      name,
    )
  }
})

/** Lists the folders that a file is in, from the root, which is empty. */
const ancestors = (file: string): ReadonlyArray<string> => {
  const parts = file.split('/')
  return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join('/'))
}

/** Reads a tarball. Its own search for a folder looks at all files, ten seconds long for the compiler's questions about one package. */
const readPackage = ({ tarball }: Packed) => {
  const found = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)))
  const folders = new Set(found.listFiles().flatMap(ancestors))
  found.directoryExists = (path) => folders.has(path.replace(/\/$/, ''))
  return found
}

// The packages are modules only: what asks for them in the old ways gets no types, and no code either.
const OLD_WAYS: ReadonlyArray<string> = ['node10', 'node16-cjs']

t.test('the types of every package resolve for every importer', async (t) => {
  for (const packed of packedPackages()) {
    const result = await checkPackage(readPackage(packed))
    const problems = result.types === false ? ['no types'] : result.problems
    t.strictSame(
      problems.filter(
        (problem) =>
          typeof problem === 'string' ||
          !('resolutionKind' in problem && OLD_WAYS.includes(problem.resolutionKind)),
      ),
      [],
      packed.name,
    )
  }
})

/** The oldest Node that a range such as `>=22.19.0` lets in, as a number to compare; 0 where it is of another form. */
const oldest = (range = ''): number => {
  const [, major = '0', minor = '0'] = /^>= ?(\d+)(?:\.(\d+))?/.exec(range) ?? []
  return Number(major) * 1000 + Number(minor)
}

t.test(
  'a package has its build, source maps with their sources, and the Node version that it needs',
  async (t) => {
    for (const packed of packedPackages()) {
      const folder = unpacked(packed)
      const manifest = readManifest(folder)
      for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
        const used = readManifest(join(packed.source, 'node_modules', name))
        const isYoungEnough = oldest(manifest.engines?.['node']) >= oldest(used.engines?.['node'])
        t.ok(isYoungEnough, `${manifest.name}: ${name} runs on ${used.engines?.['node']}`)
      }
      t.notMatch(JSON.stringify(manifest), /workspace:|\.\/src\//, 'its manifest has no workspace references')
      t.ok(existsSync(join(folder, 'README.md')), `${manifest.name} has a README`)
      const built = globSync('dist/**/*.js', { cwd: folder })
      t.ok(globSync('{dist,server}/**/*.js', { cwd: folder }).length > 0)
      const maps = built.flatMap((file) => [`${file}.map`, file.replace(/\.js$/, '.d.ts.map')])
      t.strictSame(
        maps.flatMap((map) => missingSources(folder, map)),
        [],
        `${manifest.name} has the sources of its maps`,
      )
      const strange = globSync('**/{test,*.tsbuildinfo,*.test.*}', { cwd: folder })
      t.strictSame(strange, [], `${manifest.name} has nothing else in it`)
    }
  },
)

t.test('a package has the same entry points as in the workspace, except those for tests', async (t) => {
  for (const packed of packedPackages()) {
    const inside = publicEntries(packed.source)
    const outside = Object.keys(readManifest(unpacked(packed)).exports ?? {})
    t.strictSame(outside, [...inside, './package.json'], packed.name)
  }
})
