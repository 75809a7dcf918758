import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { build, DIST } from '../src/build.ts'

// Runs the bundle as a user would.

const HERE = join(import.meta.dirname, '..')
const folder = t.testdir()
const program = join(folder, 'almoner.js')
const dist = join(folder, 'dist')

t.before(async () => {
  // `pnpm test` has just built it.
  if (process.env['TEST_PROGRAM'] === 'built') cpSync(DIST, dist, { recursive: true })
  else await build(dist)
  cpSync(join(HERE, 'almoner.js'), program)
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'))
})

const environment = (place: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ALMONER_DATABASE: `sqlite:${join(place, 'almoner.db')}`,
  ALMONER_MEDIA: `file:${join(place, 'media')}`,
  ALMONER_HOST: '127.0.0.1',
  ALMONER_PORT: '0',
  ALMONER_LINK_CHECK: 'off',
  ...more,
})

const run = (place: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [program, ...args], { env: environment(place), encoding: 'utf8' })

/** Starts the service on a folder; resolves with its address when it takes requests, and ends it with the test. */
const serve = (t: Test, place: string, more: NodeJS.ProcessEnv, ...args: ReadonlyArray<string>) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, [program, 'serve', ...args], {
      env: environment(place, more),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise<void>((end) => child.once('exit', () => end()))
    t.teardown(async () => {
      child.kill('SIGTERM')
      await ended
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg === 'listening') resolve(entry.url)
    })
  })

const tokenOf = async (url: string, place: string, id: string): Promise<string> => {
  const clients = JSON.parse(readFileSync(join(place, 'demo-credentials.json'), 'utf8'))
  const { client_secret } = clients.find((client: { client_id: string }) => client.client_id === id)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret })
  const answer = (await (await fetch(`${url}/oauth2/get-token`, { method: 'POST', body })).json()) as object
  return String(Object(answer).access_token)
}

t.test('all imported files exist, and those loaded on demand can be loaded', async (t) => {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
  for (const name of files) {
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, other = ''] of text.matchAll(/(?:from |import\()"(\.\/[^"]+)"/g))
      t.ok(existsSync(join(dist, other)), `${name}: ${other}`)
  }
  // The entry itself would read this process's arguments.
  for (const name of files.filter((name) => name !== 'main.js')) await import(join(dist, name))
})

t.test(
  'luxon is there once: of two copies, node-schedule uses the one that asks for the tables of Intl',
  async (t) => {
    const texts = readdirSync(dist)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(dist, name), 'utf8'))
    t.equal(texts.join('').split('function systemLocale()').length - 1, 1)
  },
)

t.test('no file has other characters than ASCII, which V8 would hold as two bytes each', async (t) => {
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.js')))
    t.match(readFileSync(join(dist, name), 'latin1'), /^[\0-\x7f]*$/, name)
})

t.test('the licences of bundled packages are listed', async (t) => {
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES'), 'utf8')
  for (const name of ['@aws-sdk/client-s3', 'fastify', 'fp-ts', 'kysely', 'undici'])
    t.match(notices, new RegExp(`^${name} \\d.* \\((?:MIT|Apache-2.0)\\)$`, 'm'))
  t.match(notices, 'Permission is hereby granted')
  t.notMatch(notices, /undefined|@almoner/)
  t.notMatch(notices, /^glob /m, 'what nothing calls is left out')
})

t.test('commands run', async (t) => {
  const place = t.testdir()
  t.match(JSON.parse(run(place, 'openapi')), { openapi: /^3\./ })
  run(place, 'migrate')
  t.match(run(place, 'client', 'list', '--json'), /^\[\]|\{/)
})

t.test('the demo is served, with images, the docs and several workers', async (t) => {
  const place = t.testdir()
  const url = await serve(t, place, { ALMONER_WORKERS: '2' }, '--demo')
  const headers = { Authorization: `Bearer ${await tokenOf(url, place, 'demo-user')}` }
  const get = (path: string) => fetch(`${url}${path}`, { headers })
  const { items } = Object(await (await get('/library/?lim=1')).json())
  const image = await fetch(items[0].item.coverImgUrl)
  t.match(image.headers.get('content-type'), /^image\//)
  t.match(await (await get('/docs')).text(), /<title>Almoner API/)
  t.equal((await get('/docs/static/swagger-ui.css')).status, 200)
  for (const path of [`/library/${items[0].item.itemId}/label`, '/feed/', '/portfolio/organization?lim=1'])
    t.equal((await get(path)).status, 200, path)
  const { organizations } = Object(await (await get('/portfolio/organization?lim=1')).json())
  t.equal(organizations.length, 1)
})

t.test('a Node that is too old is reported in one line', async (t) => {
  // What such a Node lacks, taken from this one before the program begins.
  const old =
    "delete process.features.typescript; delete (await import('node:module')).default.enableCompileCache"
  for (const entry of [program, join(HERE, '../../apps/almoner/almoner.js')]) {
    const parameters = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, entry, 'routes']
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' })
    t.strictSame([status, stdout], [1, ''])
    t.match(
      stderr,
      /^almoner: Node [0-9.]+ is too old\. .*`npx -y pnpm@12 (start:built|almoner)` brings its own\.\n$/,
    )
  }
})

t.test('a missing build is reported in one line', async (t) => {
  const place = t.testdir({ 'almoner.js': readFileSync(program, 'utf8') })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, 'almoner.js'), 'serve'], {
    encoding: 'utf8',
  })
  t.strictSame([status, stdout], [1, ''])
  t.equal(stderr, 'almoner: nothing is built yet. `npx -y pnpm@12 build` builds it.\n')
})

t.test('the encryption thread has its file', async (t) => {
  const { encryptAll } = await import(join(dist, 'encryption.js'))
  t.type(encryptAll, 'function')
  t.ok(readdirSync(dist).some((name) => /^webpush-.*\.js$/.test(name)))
})

t.test('the threads of the database and of portfolios have their files', async (t) => {
  for (const file of ['database-thread.js', 'thread/thread.js']) t.ok(existsSync(join(dist, file)), file)
})
