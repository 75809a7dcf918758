import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emptyFolder, packedPackages, ROOT, readManifest, runIn, trouble } from './packed.ts'
import { installIn } from './project.ts'

const HTTP = join(ROOT, 'packages/adapters-http')

/** The plugins that the application has at its root. */
const PLUGINS = ['cors', 'formbody', 'helmet', 'multipart', 'swagger'].map((name) => `@fastify/${name}`)

t.test('the packed API runs in an application with its own plugins, hooks and error handler', async (t) => {
  const { dependencies, devDependencies } = readManifest(HTTP)
  const theirs = { ...dependencies, ...devDependencies }
  const ours = packedPackages().filter(({ name }) =>
    /^@almoner\/(?:domain|testkit|adapters-http)$/.test(name),
  )
  const folder = emptyFolder('host')
  const wanted = [
    ...ours.map(({ name, source }) => [name, readManifest(source).version]),
    ...[...PLUGINS, 'fastify'].map((name) => [name, theirs[name]]),
  ]
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: Object.fromEntries(wanted) }),
  )
  cpSync(join(HTTP, 'test/fixtures/packed-host.ts'), join(folder, 'host.ts'))
  installIn(folder, HTTP)
  t.equal(
    trouble(() => runIn(folder, process.execPath, ['host.ts'])),
    '',
  )
})
