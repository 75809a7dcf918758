import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../../..')

/** What a package says of itself. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the entry points of a package, without the ones that lead into its tests. */
export const publicEntries = (folder: string): ReadonlyArray<string> =>
  Object.entries(readManifest(folder).exports ?? {}).flatMap(([entry, target]) =>
    String(target).startsWith('./test/') ? [] : [entry],
  )

/** A packed package. */
export interface Packed {
  readonly name: string
  /** The folder of its sources in the workspace. */
  readonly source: string
  readonly tarball: string
}

/** A folder outside the workspace, so that nothing in it resolves to packages of the workspace. It goes when this process ends. */
export const emptyFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `almoner-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The packages that are published, by folder. */
const published = ['packages', 'apps']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)))
  .filter((folder) => readManifest(folder).private !== true)

/** Parameters of `env` that remove the environment variables which the test runner sets for child processes. */
export const WITHOUT_RUNNER = ['NODE_OPTIONS', 'NODE_PATH'].flatMap((name) => ['-u', name])

/** Runs a program as its users do, and gives what it printed. */
export const runIn = (folder: string, program: string, parameters: ReadonlyArray<string>): string =>
  execFileSync('env', [...WITHOUT_RUNNER, program, ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  })

/** What failed, with what it printed; empty when nothing did. */
export const trouble = (work: () => string): string => {
  try {
    work()
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
    return `${stdout ?? ''}${stderr ?? ''}${error}`
  }
}

/** The pnpm that runs this test, else the usual command. */
const PNPM = process.env['npm_execpath']?.includes('pnpm')
  ? [process.env['npm_execpath']]
  : ['npx', '-y', 'pnpm@12']

const packAll = (): ReadonlyArray<Packed> => {
  const [program = '', ...first] = PNPM
  runIn(ROOT, program, [...first, 'dist'])
  const folder = emptyFolder('tarballs')
  const filters = published.flatMap((source) => ['--filter', readManifest(source).name])
  runIn(ROOT, program, [...first, '-r', ...filters, 'pack', '--pack-destination', folder])
  return published.map((source) => {
    const { name, version } = readManifest(source)
    return {
      name,
      source,
      tarball: join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
    }
  })
}

let packed: ReadonlyArray<Packed> | undefined

/** Every published package, built from the sources as they are now, and packed. Once a process. */
export const packedPackages = (): ReadonlyArray<Packed> => {
  packed ??= packAll()
  return packed
}

/** Unpacks a tarball into a folder. */
export const unpack = (tarball: string, folder: string): void => {
  mkdirSync(folder, { recursive: true })
  runIn(folder, 'tar', ['-xzf', tarball, '--strip-components=1'])
}
