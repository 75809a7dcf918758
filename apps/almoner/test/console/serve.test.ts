import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openProvider, signInAt } from '@almoner/oidc-provider'
import t from 'tap'
import { almoner, type Server, serve } from '../support/almoner.ts'
import { type Credentials, get, tokenOf } from '../support/client.ts'
import { ownFolder } from '../support/own-folder.ts'

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** The secret of the last link in a text. */
const secretIn = (text: string): string => /\/console\/enter#([\w-]{43})/.exec(text)?.[1] ?? 'none'

const signIn = (server: Server, token: string) =>
  fetch(`${server.url}/console/api/sign-in/link`, {
    method: 'POST',
    headers: SAME_ORIGIN,
    body: new URLSearchParams({ token }),
  })

const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''

/** The folder of the demonstration, which takes three seconds to load: the tests that need it start it one after the other. */
const demonstration = ownFolder()

t.test('M2: serve --demo prints a link on every start, which signs in once', async (t) => {
  for (const start of ['first', 'second']) {
    const server = await serve(demonstration, ['--demo'])
    const token = secretIn(server.said().out)
    const entered = await signIn(server, token)
    t.match(await entered.json(), { session: { manager: { duty: 'operator' } } }, `${start} start`)
    t.equal((await signIn(server, token)).status, 401, 'the link works once')
    const library = await fetch(`${server.url}/console/api/library/?lim=1`, {
      headers: { cookie: cookieOf(entered) },
    })
    t.match(await library.json(), { items: [{ item: {} }] })
    t.equal((await fetch(`${server.url}/library/`, { headers: { cookie: cookieOf(entered) } })).status, 401)
    t.notMatch(server.said().err, token, 'the log does not contain the link')
    await server.stop()
  }
})

t.test('I3, M2: operators see the adapters, figures and findings of the running server', async (t) => {
  const server = await serve(demonstration, ['--demo'])
  const entered = await signIn(server, secretIn(server.said().out))
  const ask = async (path: string) =>
    (await fetch(`${server.url}/console/api/${path}`, { headers: { cookie: cookieOf(entered) } })).json()
  t.match(await ask('figures'), {
    figures: {
      adapters: { database: 'SQLite', storage: 'folder', push: ['log'] },
      ...{ requests: Number, operations: Number, freeBytes: Number },
    },
  })
  const { findings } = (await ask('findings')) as {
    findings: ReadonlyArray<{ readonly finding: { readonly check: string; readonly code: string } }>
  }
  const found = findings.map(({ finding }) => finding)
  t.match(
    found.filter(({ code }) => code !== 'in-order'),
    [{ check: 'push', level: 'warning', code: 'push-log' }],
  )
  const machine = ['files', 'disk', 'disk', 'clock', 'media', 'push', 'address', 'metrics', 'link checks']
  t.strictSame(
    found.map(({ check }) => check),
    [...machine, 'nodes', 'images', 'pauses', 'devices', 'links', 'retention', 'schedules', 'portfolio'],
  )
  await server.stop()
})

t.test('M5, M7: what the console changes is in the next response of the API, cached or not', async (t) => {
  const server = await serve(demonstration, ['--demo'])
  const entered = await signIn(server, secretIn(server.said().out))
  const clients: ReadonlyArray<Credentials> = JSON.parse(
    readFileSync(join(demonstration, 'data/demo-credentials.json'), 'utf8'),
  )
  const editor = clients.find(({ client_id }) => client_id === 'demo-manager')
  if (editor === undefined) throw new Error('the demonstration has no manager')
  const { access_token: token } = await tokenOf(server.url, editor)
  const newest = async () => (await get(`${server.url}/feed/?lim=1`, token)).text()
  const before = await newest()
  t.equal(await newest(), before)
  const created = await fetch(`${server.url}/console/api/feed/`, {
    method: 'POST',
    headers: { ...SAME_ORIGIN, cookie: cookieOf(entered) },
    body: new URLSearchParams({
      itemType: 'link',
      link: 'https://example.org/',
      itemTitle: 'From the console',
      itemDescription: 'A post.',
    }),
  })
  t.equal(created.status, 200)
  t.match(await newest(), 'From the console')
  await server.stop()
})

t.test('M1, M6: the server has the pages of the console, unless it is off', async (t) => {
  const folder = t.testdir()
  const server = await serve(folder)
  const page = await (await fetch(`${server.url}/console/`)).text()
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
  const loaded = await fetch(`${server.url}${script}`)
  t.equal(loaded.status, 200)
  t.match(loaded.headers.get('content-type'), 'javascript')
  await server.stop()
  const without = await serve(folder, [], { ALMONER_CONSOLE: 'off' })
  for (const path of ['/console', '/console/api/session', '/console/sign-in'])
    t.equal((await fetch(`${without.url}${path}`)).status, 404, path)
  await without.stop()
})

t.test('M2: a link is printed only where the address of the service is known', async (t) => {
  const folder = t.testdir()
  const add = ['manager', 'add', 'ada@example.org', '--name', 'Ada', '--duty', 'editor', '--lang', 'fr']
  const anyPort = { ALMONER_PORT: '0' }
  t.match(await almoner(folder, add, anyPort), { code: 1, out: '', err: /set ALMONER_BASE_URL/ })
  t.notMatch((await almoner(folder, ['manager', 'list'])).out, 'ada', 'nothing has changed')
  const elsewhere = { ...anyPort, ALMONER_BASE_URL: 'https://almoner.example.org' }
  t.match(await almoner(folder, add, elsewhere), {
    code: 0,
    out: 'https://almoner.example.org/console/enter#',
  })
  const link = ['manager', 'link', 'ada@example.org']
  t.match(await almoner(folder, link, anyPort), { code: 1, err: /set ALMONER_BASE_URL/ })
  t.match(await almoner(folder, link, elsewhere), { code: 0 })
})

t.test('M2, M4: almoner manager adds a person, lists and ends sessions, and disables', async (t) => {
  const folder = t.testdir()
  const added = await almoner(folder, [
    ...['manager', 'add', 'Ada@example.org', '--name', 'Ada', '--duty', 'editor', '--lang', 'fr'],
  ])
  t.match(added, { code: 0, err: '' })
  const server = await serve(folder)
  const entered = await signIn(server, secretIn(added.out))
  const asAda = { headers: { cookie: cookieOf(entered) } }
  const status = async () => (await fetch(`${server.url}/console/api/session`, asAda)).status
  t.equal(await status(), 200)
  t.match(await almoner(folder, ['manager', 'list']), {
    code: 0,
    out: /editor +fr +enabled +ada@example\.org +Ada/,
  })
  t.match(await almoner(folder, ['manager', 'sessions', 'ada@example.org', '--end']), { code: 0 })
  t.equal(await status(), 401, 'the session has ended')
  const link = await almoner(folder, ['manager', 'link', 'ada@example.org'])
  t.match(await almoner(folder, ['manager', 'disable', 'ada@example.org']), { code: 0 })
  t.equal((await signIn(server, secretIn(link.out))).status, 401, 'a disabled manager cannot sign in')
  t.match(await almoner(folder, ['manager', 'link', 'ada@example.org']), { code: 1, err: /enable it first/ })
  await server.stop()
})

t.test(
  'M3, A5: a person signs in at the OpenID provider of the settings, which no log line shows',
  async (t) => {
    const folder = t.testdir()
    const redirectUri = 'https://almoner.example.org/console/sign-in'
    const accounts = new Map([['ada-1', { email: 'ada@example.org' }]])
    const provider = await openProvider({ redirectUri, accounts })
    t.teardown(provider.stop)
    const variables = {
      ALMONER_BASE_URL: 'https://almoner.example.org',
      ALMONER_LOG_LEVEL: 'trace',
      ALMONER_CONSOLE_SIGN_IN: 'oidc',
      ALMONER_OIDC_ISSUER: provider.issuer,
      ALMONER_OIDC_CLIENT_ID: provider.clientId,
      ALMONER_OIDC_CLIENT_SECRET: provider.clientSecret,
      ALMONER_OIDC_DOMAINS: 'example.org',
    }
    await almoner(folder, [
      ...['manager', 'add', 'ada@example.org', '--name', 'Ada', '--duty', 'editor', '--lang', 'fr'],
    ])
    const server = await serve(folder, [], variables)
    const post = (path: string, fields: Readonly<Record<string, string>>, cookie = '') =>
      fetch(`${server.url}/console/api/sign-in/${path}`, {
        method: 'POST',
        headers: { ...SAME_ORIGIN, cookie },
        body: new URLSearchParams(fields),
      })
    const methods = await fetch(`${server.url}/console/api/sign-in/methods`)
    t.strictSame(await methods.json(), { methods: ['oidc'] })
    const started = await post('oidc/start', {})
    const { url } = (await started.json()) as { url: string }
    const response = await signInAt(url, 'ada-1')
    await fetch(`${server.url}/console/sign-in?${response}`)
    const opened = await post('oidc', { response }, cookieOf(started))
    t.match(await opened.json(), { session: { manager: { email: 'ada@example.org' } } })
    await server.stop()
    const { out, err } = server.said()
    const code = new URLSearchParams(response).get('code') ?? ''
    const secret = cookieOf(started).split('=')[1] ?? ''
    for (const value of [code, secret, provider.clientSecret]) {
      t.ok(value.length > 20)
      t.notOk(`${out}${err}`.includes(value))
    }
    t.match(await almoner(folder, ['audit']), { code: 0, out: /link-identity/ })
  },
)

t.test('Settings: serve with oidc and without its settings ends, with a line for each', async (t) => {
  const { code, err } = await almoner(t.testdir(), ['serve'], { ALMONER_CONSOLE_SIGN_IN: 'oidc' })
  t.equal(code, 1)
  t.match(err, /^almoner: ALMONER_OIDC_ISSUER must be set/)
  t.equal(err.trim().split('\n').length, 3)
})
