import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

// No file imports itself through others, and the folders of a package form layers that point one way. Type imports and TSX count.

const ROOT = join(import.meta.dirname, '..')

type Layers = ReadonlyArray<ReadonlyArray<string>>

/**
 * The layers of a package, lowest first: a file may import from its own layer and from those below. An entry is a folder or a file of
 * `src`; a file belongs to the longest entry that its path begins with. Folders of one layer do not import each other.
 */
const LAYERS: Readonly<Record<string, Layers>> = {
  'packages/domain': [
    ['values'],
    ['media'],
    ['access'],
    ['history'],
    ['content'],
    ['portfolio'],
    ['changes'],
    ['people'],
    ['notifications'],
    ['delivery'],
    ['managers'],
    ['personal-data'],
    ['operations'],
    ['ports.ts'],
    ['almoner.ts'],
    ['index.ts'],
  ],
  'packages/adapters-kysely': [
    ['schema'],
    ['database'],
    ['schema/migrations'],
    ['history.ts', 'changes.ts', 'media.ts'],
    ['access'],
    ['content', 'portfolio', 'managers'],
    ['people'],
    ['delivery'],
    ['personal-data', 'operations.ts', 'results.ts'],
    ['store.ts'],
    ['transfer', 'accelerators'],
    ['archive'],
    ['index.ts'],
  ],
  'packages/console': [
    ['paths.ts', 'assets.ts', 'messages'],
    ['build', 'sign-in'],
    ['session'],
    ['ui'],
    ['charts'],
    ['content'],
    ['access', 'people', 'portfolio', 'notifications', 'managers', 'operations', 'results', 'manual'],
    ['calendar'],
    ['app'],
    ['index.ts'],
  ],
  'packages/adapters-http': [
    ['settings.ts', 'logged-error.ts', 'request-context.ts'],
    ['problems', 'serializers'],
    ['request'],
    ['responses'],
    ['idempotency.ts', 'waits.ts'],
    ['route.ts'],
    ['routes', 'oauth.ts', 'oauth-errors.ts', 'images.ts', 'lifecycle'],
    ['metrics'],
    ['openapi'],
    ['extension.ts'],
    ['plugins'],
    ['console'],
    ['server.ts'],
    ['index.ts'],
  ],
}

const IMPORT = /^(?:import|export)\b[^'"]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** Returns the source files of a package and the files that each imports. */
const importsIn = (folder: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const exclude = ['**/{node_modules,dist,test,.tap}/**']
  const files = globSync('**/*.{ts,tsx}', { cwd: join(ROOT, folder), exclude })
  const isKnown = new Set(files)
  const importsOf = (file: string): ReadonlyArray<string> =>
    [...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(IMPORT)]
      .map(([, from, bare, dynamic]) => join(dirname(file), from ?? bare ?? dynamic ?? ''))
      .filter((target) => isKnown.has(target))
  return new Map(files.map((file) => [file, importsOf(file)]))
}

/** Returns the cycles that a walk along all imports meets. */
const cyclesIn = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const done = new Set<string>()
  const cycles: Array<string> = []
  const visit = (file: string, path: ReadonlyArray<string>): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return cycles
}

const PACKAGES = ['packages', 'apps', 'testing', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
)

t.test('no file imports itself indirectly', async (t) => {
  for (const folder of PACKAGES) {
    const imports = importsIn(folder)
    t.strictSame(cyclesIn(imports), [], `${folder}: ${imports.size} files`)
  }
})

const entryOf = (file: string, layers: Layers): string =>
  layers
    .flat()
    .filter((entry) => file === entry || file.startsWith(`${entry}/`))
    .reduce((longest, entry) => (entry.length > longest.length ? entry : longest), '')

const layerOf = (file: string, layers: Layers): number =>
  layers.findIndex((layer) => layer.includes(entryOf(file, layers)))

t.test('the layers of a package point one way', async (t) => {
  for (const [folder, layers] of Object.entries(LAYERS)) {
    const imports = importsIn(join(folder, 'src'))
    for (const file of imports.keys())
      t.not(layerOf(file, layers), -1, `${folder}/src/${file} belongs to a layer`)
    const upward = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => {
          const [from, to] = [layerOf(file, layers), layerOf(target, layers)]
          const isOwn = entryOf(file, layers) === entryOf(target, layers)
          return to > from || (to === from && !isOwn && file.includes('/') && target.includes('/'))
        })
        .map((target) => `${file} → ${target}`),
    )
    t.strictSame(upward, [], folder)
  }
})

/** Folders of a package's `src` that import each other. A pair that is untied leaves the list, and none may join it. */
const MUTUAL: Readonly<Record<string, ReadonlyArray<string>>> = {
  'packages/adapters-kysely': ['database, schema'],
  'apps/almoner': ['cli, commands', 'commands, composition', 'composition, config'],
}

/** Returns the folder of `src` that a file lies in; none for files beside the folders. */
const foldersOf = (file: string): ReadonlyArray<string> => file.split('/').slice(0, -1).slice(0, 1)

t.test('no further folders of a package import each other', async (t) => {
  for (const folder of PACKAGES) {
    const between = new Set(
      [...importsIn(join(folder, 'src'))].flatMap(([file, targets]) =>
        targets.flatMap((target) =>
          foldersOf(file).flatMap((from) => foldersOf(target).map((to) => `${from}, ${to}`)),
        ),
      ),
    )
    const mutual = [...between].filter((pair) => {
      const [from = '', to = ''] = pair.split(', ')
      return from < to && between.has(`${to}, ${from}`)
    })
    t.strictSame(mutual.sort(), MUTUAL[folder] ?? [], folder)
  }
})

/** The files that threads start with, and the packages that they may load: each start loads all of it (I6). */
const THREADS: Readonly<Record<string, RegExp>> = {
  'packages/adapters-sqlite/src/threads/database-thread.ts': /^(?:node:|better-sqlite3$)/,
  'packages/adapters-push/src/webpush/encryption.ts': /^node:/,
  'packages/adapters-node/src/files/thread/thread.ts':
    /^(?:node:|fp-ts\/|io-ts$|jsonc-parser$|@almoner\/domain\/)/,
}

const IMPORTED = /^(?:import|export) (?!type )(?:[^;'"]*? from )?'([^']+)'/gm

/** Returns the packages that a file loads, by itself or through its neighbours. */
const packagesOf = (file: string, seen = new Set<string>()): ReadonlyArray<string> => {
  if (seen.has(file)) return []
  seen.add(file)
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, target = '']) => target)
  return targets.flatMap((target) =>
    target.startsWith('.') ? packagesOf(join(dirname(file), target), seen) : [target],
  )
}

t.test('I6: a thread loads what it needs, and no more', async (t) => {
  for (const [path, allowed] of Object.entries(THREADS))
    t.strictSame(
      packagesOf(join(ROOT, path)).filter((name) => !allowed.test(name)),
      [],
      path,
    )
})
