import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { API_ROUTES } from '../packages/adapters-http/src/index.ts'
import { missingPorts } from '../packages/domain/src/ports.ts'
import * as contracts from '../packages/testkit/src/contracts/index.ts'

// The rules of the house, as one page that can be read and one test that can fail.

const ROOT = join(import.meta.dirname, '..')

/** The workspace packages that a package may depend on, besides the domain. Biome compares imports with the manifests. */
const FURTHER: Readonly<Record<string, ReadonlyArray<string>>> = {
  '@almoner/adapters-sqlite': ['@almoner/adapters-kysely'],
  '@almoner/adapters-postgres': ['@almoner/adapters-kysely'],
}

/** Matches generated files. */
const GENERATED = /^packages\/client\/src\/generated\//

/** The only folder of an application that may name adapters. */
const COMPOSITION = /^apps\/[^/]+\/src\/composition\//

const LINES = { source: 350, test: 500 }
const APPLICATION_LINES = 8350
/** A file of fewer lines belongs into its importer, mostly: of the files of packages and applications one of seven may be shorter. */
const SHORT = { lines: 40, share: 0.15 }
const PIPE_DEPTH = 2

interface Source {
  readonly path: string
  readonly text: string
}

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'data', '.tap', '.git'].includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })

const read = (path: string): Source => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') })

const all = walk(ROOT)
  .filter((path) => /\.tsx?$/.test(path) && !GENERATED.test(relative(ROOT, path)))
  .map(read)
const isTest = ({ path }: Source) => /^tools\/(?:bench|stress)\/|(?:^|\/)test\//.test(path)
const sources = all.filter((source) => !isTest(source))

const PACKAGES = readdirSync(join(ROOT, 'packages')).filter((folder) =>
  existsSync(join(ROOT, 'packages', folder, 'package.json')),
)

/** The code without comments and texts, so that what they say does not count. */
const bareCode = (text: string): string =>
  text.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
    '',
  )

const pipeDepth = (text: string): number => {
  const open: Array<boolean> = []
  let deepest = 0
  for (const [token] of bareCode(text).matchAll(/\bpipe\(|\(|\)/g)) {
    if (token === ')') open.pop()
    else open.push(token === 'pipe(')
    deepest = Math.max(deepest, open.filter((isPipe) => isPipe).length)
  }
  return deepest
}

t.test(
  'dependencies point inward: packages depend on the domain, and adapters never on each other',
  async (t) => {
    t.ok(sources.length > 100)
    for (const folder of PACKAGES) {
      const manifest = readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')
      const { name, dependencies = {} } = JSON.parse(manifest)
      const allowed = name === '@almoner/domain' ? [] : ['@almoner/domain', ...(FURTHER[name] ?? [])]
      const ours = Object.keys(dependencies).filter((one) => one.startsWith('@almoner/'))
      t.strictSame(
        ours.filter((one) => !allowed.includes(one)),
        [],
        name,
      )
    }
  },
)

t.test('a package imports others by name, never by a path that its published form lacks', async (t) => {
  const leaving = sources.filter(({ path, text }) => {
    const [root, name] = path.split('/')
    if (root !== 'packages') return false
    const inside = join(root, name ?? '')
    return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].some(
      ([, target = '']) => !join(dirname(path), target).startsWith(`${inside}/`),
    )
  })
  t.strictSame(
    leaving.map(({ path }) => path),
    [],
  )
})

t.test('only the composition of an application names adapters', async (t) => {
  const namesAdapter = ({ text }: Source) => /\b(?:from|import\()\s*'@almoner\/adapters-/.test(text)
  const naming = sources.filter((source) => source.path.startsWith('apps/') && namesAdapter(source))
  t.ok(naming.length > 5)
  t.strictSame(
    naming.map(({ path }) => path).filter((path) => !COMPOSITION.test(path)),
    [],
  )
})

t.test('the domain asks ports for time, ids and randomness', async (t) => {
  // The memory adapters have the only clock of the package.
  const isRule = ({ path }: Source) =>
    path.startsWith('packages/domain/') && path !== 'packages/testkit/src/memory/values.ts'
  for (const { path, text } of sources.filter(isRule))
    t.notMatch(
      bareCode(text),
      /\bDate\.now\b|new Date\(\)|Math\.random|\bprocess\.|\bconsole\.|\bcrypto\b/,
      path,
    )
})

t.test('the domain depends on fp-ts and io-ts only', async (t) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/domain/package.json'), 'utf8'))
  t.equal(manifest.dependencies, undefined)
  t.strictSame(Object.keys(manifest.peerDependencies), ['fp-ts', 'io-ts'])
})

t.test('no file exceeds its limit', async (t) => {
  for (const source of all) {
    const most = isTest(source) ? LINES.test : LINES.source
    t.ok(source.text.split('\n').length <= most, `${source.path} has at most ${most} lines`)
  }
})

t.test('few files are short', async (t) => {
  const files = sources.filter(({ path }) => /^(?:packages|apps)\/[^/]+\/src\//.test(path))
  const short = files.filter(({ text }) => text.split('\n').length <= SHORT.lines)
  t.ok(short.length <= files.length * SHORT.share, `${short.length} of ${files.length}`)
})

t.test('the application is thin: what other hosts need as well is in packages', async (t) => {
  const app = sources.filter(({ path }) => path.startsWith('apps/almoner/src/'))
  const lines = app.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  t.ok(lines <= APPLICATION_LINES, `${lines} lines, at most ${APPLICATION_LINES}`)
})

t.test(`pipe nests at most ${PIPE_DEPTH} deep`, async (t) => {
  for (const { path, text } of sources) t.ok(pipeDepth(text) <= PIPE_DEPTH, path)
})

t.test('tryCatch occurs once per package, around the driver', async (t) => {
  for (const name of PACKAGES.map((folder) => `packages/${folder}`)) {
    const uses = sources.filter(({ path }) => path.startsWith(`${name}/`)).map(({ text }) => bareCode(text))
    const count = uses.reduce((sum, text) => sum + (text.match(/\bTE\.tryCatch/g)?.length ?? 0), 0)
    t.ok(count <= 1, `${name}: ${count}`)
  }
})

t.test('every port has a contract suite of its name', async (t) => {
  const ports = [...missingPorts({}), 'imageFiles']
  t.ok(ports.length > 30)
  t.strictSame(
    ports.filter((port) => !(`${port}Contract` in contracts)),
    [],
  )
})

t.test('every route is in the list', async (t) => {
  const files = sources.filter(({ path }) => path.startsWith('packages/adapters-http/src/routes/'))
  const exported = files.flatMap(({ text }) =>
    [...text.matchAll(/export const ([A-Z_]+_ROUTES)\b/g)].map(([, name]) => name),
  )
  const index = files.find(({ path }) => path.endsWith('routes/index.ts'))
  for (const name of exported) t.match(index?.text, new RegExp(`\\b${name}\\b`), `${name} is in API_ROUTES`)
  const names = API_ROUTES.map(({ operation }) => operation)
  t.equal(new Set(names).size, names.length, 'operation names are unique')
  const places = API_ROUTES.map(({ method, path }) => `${method} ${path}`)
  t.equal(new Set(places).size, places.length, 'no two routes share method and path')
})

t.test('pnpm test runs every test: an all.test.ts is beside it, or names its folder', async (t) => {
  const tests = all.map(({ path }) => path).filter((path) => /\.test\.ts$/.test(path))
  const run = all
    .filter(({ path }) => path.endsWith('/all.test.ts'))
    .flatMap(({ path, text }) => {
      const [, others = ''] = /loadTests\(import\.meta\.dirname((?:, '[^']+')*)\)/.exec(text) ?? []
      return ['.', ...[...others.matchAll(/'([^']+)'/g)].map(([, other]) => String(other))].map((other) =>
        join(dirname(path), other),
      )
    })
  // Tests of examples are part of what they show: apps/almoner/test/packages runs them.
  const folders = new Set(tests.map(dirname).filter((folder) => !folder.startsWith('examples/')))
  t.strictSame(
    [...folders].filter((folder) => !run.includes(folder)),
    [],
  )
})

t.test('no leftovers remain, and no test is skipped', async (t) => {
  const leftBehind = new RegExp(['TO' + 'DO', 'FIX' + 'ME', '@ts-' + 'ignore', '@ts-' + 'nocheck'].join('|'))
  for (const { path, text } of all) t.notMatch(text, leftBehind, path)
})
