import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { subset, valid } from 'semver'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const root = read('package.json')
const members = globSync('{packages,apps,testing,tools,examples}/*/package.json', { cwd: ROOT }).map(
  (path) => ({ folder: dirname(path).replaceAll('\\', '/'), manifest: read(path) }),
)

t.test('every package states licence, source, purpose and the same Node', async (t) => {
  t.ok(members.length > 15)
  for (const { folder, manifest } of members) {
    t.equal(manifest.license, root.license, folder)
    t.same(manifest.repository, { ...root.repository, directory: folder }, folder)
    t.match(manifest.description, /^[A-Z].{15,}\.$/, folder)
    t.ok(manifest.keywords.includes('almoner'), folder)
    t.equal(manifest.engines.node, '>=22.19', folder)
  }
})

t.test('the packages share one version, as .changeset/config.json fixes it', async (t) => {
  t.same(read('.changeset/config.json').fixed, [['almoner', '@almoner/*']])
  const versions = members.flatMap(({ manifest }) => manifest.version ?? [])
  t.equal(new Set(versions).size, 1)
})

/** Libraries whose types are part of public interfaces. An application and its packages must use one copy. */
const SHARED = ['fastify', 'fp-ts', 'io-ts', 'kysely']

const packages = members.filter(({ folder }) => /^(?:packages|apps)\//.test(folder))

t.test('packages pin no version: the lockfile does, and their own tests', async (t) => {
  for (const { folder, manifest } of packages)
    for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
      t.match(range, /^(\^\d|workspace:\^$)/, `${folder}: ${name}`)
})

t.test('no published package needs itself, through others', async (t) => {
  const byName = new Map(packages.map(({ manifest }) => [manifest.name as string, manifest]))
  const cyclesOf = (name: string, path: ReadonlyArray<string> = []): ReadonlyArray<string> => {
    if (path.includes(name)) return [[...path, name].join(' → ')]
    const { dependencies = {}, peerDependencies = {} } = byName.get(name) ?? {}
    return Object.keys({ ...dependencies, ...peerDependencies }).flatMap((next) =>
      cyclesOf(next, [...path, name]),
    )
  }
  for (const name of byName.keys()) t.same(cyclesOf(name), [], name)
})

t.test('packages of one release train have one range: AWS tests its clients together (ADR 52)', async (t) => {
  for (const { folder, manifest } of packages) {
    const { dependencies = {} } = manifest
    const clients = Object.keys(dependencies).filter((name) => name.startsWith('@aws-sdk/'))
    t.ok(new Set(clients.map((name) => dependencies[name])).size <= 1, `${folder}: ${clients}`)
  }
})

t.test(
  'libraries whose types are public are peer dependencies, in ranges that the tests are in',
  async (t) => {
    for (const { folder, manifest } of packages) {
      const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest
      for (const name of SHARED) {
        t.notOk(name in dependencies, `${folder}: ${name}`)
        if (!(name in peerDependencies)) continue
        t.ok(valid(devDependencies[name]), `${folder}: its tests run with one version of ${name}`)
        t.ok(subset(devDependencies[name], peerDependencies[name]), `${folder}: which is in the range`)
      }
    }
  },
)

t.test('a package has the peer dependencies of the packages that it uses', async (t) => {
  const peersOf = new Map(packages.map(({ manifest }) => [manifest.name, manifest.peerDependencies ?? {}]))
  for (const { folder, manifest } of packages) {
    const { dependencies = {}, peerDependencies = {} } = manifest
    const needed = Object.keys({ ...dependencies, ...peerDependencies }).map((one) => peersOf.get(one) ?? {})
    for (const [name, range] of needed.flatMap((peers) => Object.entries(peers)))
      t.equal(peerDependencies[name], range, `${folder}: ${name}`)
  }
})

t.test('the published server requires what the bundle does not contain', async (t) => {
  const { dependencies } = read('apps/almoner/package.json')
  t.same(dependencies, read('tools/bundle/package.json').dependencies)
  t.ok(Object.keys(dependencies).length <= 5, 'which is little, so that `npx almoner` starts soon')
})

t.test('the lockfile names no host of a registry', async (t) => {
  t.notMatch(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'), /https?:\/\//)
})

t.test('.node-version names the Node that runs the code', async (t) => {
  t.equal(readFileSync(join(ROOT, '.node-version'), 'utf8').trim(), root.dependencies.node)
})

// The option replaces the list of `.taprc`, and with it the compile cache, which saves a sixth of the time of all tests.
t.test('the script that runs the tests sets no --test-env', async (t) => {
  t.notMatch(root.scripts.test, /--test-env/)
  t.match(readFileSync(join(ROOT, '.taprc'), 'utf8'), /NODE_COMPILE_CACHE/)
})

/** The packages that a source file imports while it runs. */
const importedBy = (path: string): ReadonlyArray<string> =>
  [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(
      /^(?:import|export) (?!type )[^']*?from '([^'.][^']*)'/gm,
    ),
  ]
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))

t.test('`pnpm start` installs no tools of tests: the root depends on what sources import', async (t) => {
  for (const { folder, manifest } of packages) {
    if (folder === 'packages/testkit') continue
    const { dependencies = {}, devDependencies = {} } = manifest
    const imported = globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: ROOT }).flatMap(importedBy)
    for (const name of new Set(imported))
      if (!(name in dependencies) && name !== manifest.name)
        t.equal(root.dependencies[name], devDependencies[name], `${folder}: ${name}`)
  }
  for (const { folder, manifest } of members)
    if (folder.startsWith('testing/')) t.notOk('dependencies' in manifest, folder)
})

t.test(
  'each script that a person runs installs its packages before: all, or without tools of tests',
  async (t) => {
    const prepared = Object.keys(root.scripts).filter((name) => `pre${name}` in root.scripts)
    const others = Object.keys(root.scripts).filter(
      (name) => !prepared.includes(name) && !prepared.includes(name.replace(/^pre/, '')),
    )
    t.same(others.sort(), ['reference', 'start:built', 'tap:build', 'tap:quick', 'tarballs'])
    const folder = t.testdir({
      bin: { pnpm: '#!/bin/sh\necho "+ $*"\nexit $STATUS' },
      tools: { 'install.js': readFileSync(join(ROOT, 'tools/install.js'), 'utf8') },
      'package.json': '{ "type": "module" }',
      fresh: {},
      small: { node_modules: { '.modules.yaml': '{ "included": { "devDependencies": false } }' } },
      whole: { node_modules: { '.modules.yaml': '{ "included": { "devDependencies": true } }' } },
    })
    chmodSync(join(folder, 'bin/pnpm'), 0o755)
    const installs = (state: string, script: string, status = 0) => {
      const place = join(folder, state)
      cpSync(join(folder, 'tools'), join(place, 'tools'), { recursive: true })
      const [, ...words] = root.scripts[`pre${script}`].split(' ')
      const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
      const env = { ...process.env, PATH, STATUS: String(status) }
      const child = spawnSync(process.execPath, words, { cwd: place, env, encoding: 'utf8' })
      return [child.status, child.stdout, child.stderr]
    }
    t.same(installs('fresh', 'start'), [0, '', '+ install --prod\n'])
    t.same(installs('small', 'almoner'), [0, '', '+ install --prod\n'])
    t.same(installs('small', 'test'), [0, '', '+ install\n'])
    t.same(installs('whole', 'start'), [0, '', '+ install\n'], 'removes no tools')
    t.same(installs('fresh', 'test', 3), [3, '', '+ install\n'])
  },
)
