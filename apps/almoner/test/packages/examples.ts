import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, packedPackages, publicEntries, ROOT, readManifest, runIn } from './packed.ts'
import { installIn } from './project.ts'

const EXAMPLES = join(ROOT, 'examples')

/** The examples that need nothing beyond the workspace, by the names of their folders. */
export const EXAMPLE_NAMES = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !existsSync(join(EXAMPLES, entry.name, 'pnpm-lock.yaml')) ? [entry.name] : [],
)

/** All entry points of the packages. */
export const ENTRIES = packedPackages().flatMap(({ name, source }) =>
  publicEntries(source).map((entry) => `${name}${entry.slice(1)}`),
)

const blocksOf = (document: string) =>
  readFileSync(document, 'utf8').matchAll(/^```ts *(.*)\n([\s\S]*?)^```$/gm)

/** The pages whose blocks are programs, with the program of the blocks that have no name. */
const PAGES = [
  { document: 'docs/embedding.md', unnamed: 'guide' },
  { document: 'docs/testing-rules.md', unnamed: 'testing-rules' },
]

/**
 * The programs in the guide: consecutive blocks of a page, and the separate ones, by the word after the language.
 */
export const GUIDE = PAGES.flatMap(({ document, unnamed }) =>
  [...blocksOf(join(ROOT, document))].map(([, name = '', block = '']) => ({ name: name || unnamed, block })),
).reduce(
  (programs, { name, block }) => programs.set(`${name}.ts`, `${programs.get(`${name}.ts`) ?? ''}${block}`),
  new Map<string, string>(),
)

/** A module that exports the types with which the ports of the domain are written, all from the entry point of the ports. */
const typesOfPorts = (): string => {
  const files = globSync(join(ROOT, 'packages/domain/src/*/ports.ts'))
  const imports = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/^import (type |)\{([^}]*)\} from '\./gm),
  ])
  const names = imports.flatMap(([, type = '', list = '']) =>
    [...`${list},`.matchAll(/(type |)(\w+),/g)].flatMap(([, own, name]) => (type || own ? [name] : [])),
  )
  return `export type { ${[...new Set(names)].join(', ')} } from '@almoner/domain/ports'\n`
}

/** A project that asks for every package, and for what the workspace itself has of these. */
const asking = (folder: string, others: ReadonlyArray<string>): void => {
  const ours = packedPackages().map(({ source }) => readManifest(source))
  const { dependencies: needed, devDependencies } = readManifest(ROOT)
  const theirs = { ...needed, ...devDependencies }
  const dependencies = Object.fromEntries([
    ...ours.map(({ name, version }) => [name, version]),
    ...others.map((name) => [name, theirs[name]]),
  ])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
}

const makeProjects = (): string => {
  const folder = emptyFolder('projects')
  for (const name of EXAMPLE_NAMES) {
    const project = join(folder, name)
    cpSync(join(EXAMPLES, name), project, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    installIn(project)
  }
  const all = join(folder, 'all')
  mkdirSync(all)
  asking(all, ['fp-ts', 'fastify', 'kysely', 'tap', '@types/node'])
  installIn(all)
  for (const [file, program] of GUIDE) writeFileSync(join(all, file), program)
  for (const { name, source } of packedPackages())
    for (const [, , block = ''] of blocksOf(join(source, 'README.md')))
      writeFileSync(join(all, `readme-${name.replace('@almoner/', '')}.ts`), block)
  writeFileSync(
    join(all, 'entries.ts'),
    ENTRIES.map((entry, n) => `export * as entry${n} from '${entry}'\n`).join(''),
  )
  writeFileSync(join(all, 'types-of-ports.ts'), typesOfPorts())
  const { compilerOptions } = JSON.parse(readFileSync(join(EXAMPLES, 'rule-test/tsconfig.json'), 'utf8'))
  // tap's own types ask for those of React.
  writeFileSync(
    join(all, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['../*/*.ts'], exclude: ['tap.ts'] }),
  )
  writeFileSync(
    join(all, 'tsconfig.bundler.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { module: 'esnext', moduleResolution: 'bundler' },
    }),
  )
  return folder
}

let projects: string | undefined

/** The folder of a project: an example, or `all`, which asks for every package. */
export const projectFolder = (name: string): string => {
  projects ??= makeProjects()
  return join(projects, name)
}

/** Runs a program in a project, and gives what it printed. */
export const run = (name: string, program: string, ...parameters: ReadonlyArray<string>): string =>
  runIn(projectFolder(name), program, parameters)
