import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { idTokenOf, openProvider } from '@almoner/oidc-provider'
import t, { type Test } from 'tap'
import { BIN, serve } from '../../../apps/almoner/test/support/almoner.ts'
import { notify, review, seconds } from '../../adapters-http/test/support/notifications.ts'
import { preferencePath } from '../../adapters-http/test/support/people.ts'
import { PICTURE } from '../../adapters-http/test/support/uploads.ts'
import type { ApiPaths, Client } from '../src/index.ts'
import { toUpdate } from '../src/index.ts'
import { type Service, startService } from './support/service.ts'

// Runs the blocks of docs/apps.md: shell and TypeScript against a service. The requests of Swift and Kotlin are compared with recorded ones.

const ROOT = join(import.meta.dirname, '../../..')

const BLOCKS = [
  ...readFileSync(join(ROOT, 'docs/apps.md'), 'utf8').matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm),
].map(([, language = '', name = '', code = '']) => ({ language, name, code }))

const blocksIn = (language: string) => BLOCKS.filter((block) => block.language === language)

const run = promisify(execFile)

interface Request {
  readonly method: string
  readonly path: string
  /** The names of the parameters in a form. */
  readonly form: ReadonlyArray<string>
}

/** Starts a server that passes requests on to another one and records them. */
const startRecorder = async (t: Test, target: string) => {
  const requests: Array<Request> = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
    const form = isForm ? [...new URLSearchParams(String(body)).keys()] : []
    requests.push({ method, path: url, form })
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = headers
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: sent as Record<string, string>,
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body }),
    })
    const { 'content-encoding': _____, ...given } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, given).end(Buffer.from(await answer.arrayBuffer()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const newPublication = async (api: Client<ApiPaths>, lang: 'en' | 'fr', status: 'Draft' | 'Live') => {
  const { data } = await api.post('/library/', {
    body: {
      ...{ lang, itemTitle: 'Wells of the north', itemDescription: 'A year of drilling.' },
      ...{ link: 'https://example.org/wells', itemPublicationDate: '2026-05-01' },
    },
  })
  const item = data.items[0]?.item
  if (item === undefined) throw new Error('no item')
  const path = { itemId: item.itemId }
  for (const image of ['cover', 'notification'] as const)
    await api.upload('/library/{itemId}/media/{image}', { path: { ...path, image }, file: PICTURE })
  const body = toUpdate(item, { status, coverImgAlt: 'A woman fills a bucket at a well.' })
  await api.post('/library/{itemId}', { path, body })
  return item.itemId
}

const newPost = async (api: Client<ApiPaths>) => {
  const body = { itemType: 'photo', itemTitle: 'The pump', itemDescription: 'Since Monday.' } as const
  const { data } = await api.post('/feed/', { body })
  const path = { itemId: data.item.itemId }
  await api.upload('/feed/{itemId}/media', { path, file: PICTURE })
  await api.post('/feed/{itemId}', { path, body: toUpdate(data.item, { status: 'Live' }) })
}

const tokenOf = async ({ fixture, credentialsOf }: Service, who: 'manager' | 'userManager') => {
  const { clientId, clientSecret } = credentialsOf(who)
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fixture.call('POST', '/oauth2/get-token', { form })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Starts a service with publications, and returns the environment that the blocks need. */
const startManual = async (t: Test) => {
  const service = await startService(t, { store: 'sqlite' })
  const manager = service.as('manager')
  const FRENCH = await newPublication(manager, 'fr', 'Live')
  const ENGLISH = await newPublication(manager, 'en', 'Live')
  const DRAFT = await newPublication(manager, 'en', 'Draft')
  await newPost(manager)
  for (const email of ['ada@example.org', 'amina@example.org'])
    await service.fixture.call('PUT', preferencePath(email), { as: 'userManager', json: { lang: 'en' } })
  await notify(service.fixture, { lang: 'en', title: 'A new well', date: seconds('2026-04-01T00:00:00Z') })
  await review(service.fixture)
  const { requests, url } = await startRecorder(t, service.fixture.url)
  const folder = join(t.testdirName, 'app')
  mkdirSync(folder)
  writeFileSync(join(folder, 'photo.jpg'), PICTURE)
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    ...{ URL: url, CLIENT_ID: 'donor', CLIENT_SECRET: service.credentialsOf('donor').clientSecret },
    ...{ MANAGER: await tokenOf(service, 'manager'), APP_TOKEN: await tokenOf(service, 'userManager') },
    ...{ ENGLISH, FRENCH, DRAFT },
  }
  return { requests, folder, env }
}

/** What a block prints, by its comments; an ellipsis stands for anything. */
const printedBy = (code: string): RegExp => {
  const lines = [...code.matchAll(/^# (\{.*)$/gm)].map(([, line = '']) =>
    line
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^$()|[\]{}\\]/g, '\\$&'))
      .join('.*'),
  )
  return new RegExp(lines.join('[\\s\\S]*'))
}

/** Ends each answer with a line, and the script at the first that is not a success. */
const PRELUDE = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n'

/** The lines that name the demonstration. */
const OF_DEMONSTRATION = /^(?:URL|CLIENT_ID)=.*\n/gm

const SEPARATOR = '=== '

t.test('docs/apps.md: the blocks of shell run, and print what they say', async (t) => {
  const { folder, env } = await startManual(t)
  // Those for a package of the project do not run, those for an identity provider run in the next test.
  const blocks = blocksIn('sh').filter(({ name }) => name !== 'project' && name !== 'provider')
  const script = blocks.map(({ code }) => `${code.replaceAll(OF_DEMONSTRATION, '')}\necho '${SEPARATOR}'\n`)
  const { stdout } = await run('bash', ['-c', `${PRELUDE}${script.join('')}`], { cwd: folder, env })
  const printed = stdout.split(SEPARATOR)
  t.ok(blocks.length > 8)
  for (const [at, { code }] of blocks.entries()) t.match(printed[at], printedBy(code), code)
})

/** Runs the command line of this checkout, and prints the variables of the service that a block has set. */
const OPERATOR = 'pnpm() { shift; node "$BIN" "$@"; }\ntrap env EXIT\n'

t.test(
  'A10, docs/apps.md: a person signs in at the provider, and the app exchanges the ID token, as the blocks say',
  async (t) => {
    const redirectUri = 'https://app.example.org/signed-in'
    const claims = { email: 'Ada@Example.org', email_verified: true, groups: ['readers', 'donors'] }
    const ada = { email: claims.email, sent: { idToken: claims, userinfo: {} } }
    const ben = {
      email: 'ben@example.org',
      sent: { idToken: { ...claims, groups: ['readers'] }, userinfo: {} },
    }
    const provider = await openProvider({ redirectUri, accounts: new Map(Object.entries({ ada, ben })) })
    t.teardown(provider.stop)
    const folder = t.testdir({})
    const path = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
    const blocks = blocksIn('sh').filter(({ name }) => name === 'provider')
    t.equal(blocks.length, 4)
    const [registering = '', exchanging = '', registeringBackend = '', vouching = ''] = blocks.map(
      ({ code }) => code,
    )
    const runBlock = async (code: string, prelude: string, env: object) => {
      const script = prelude + code.replaceAll('https://id.example.org', provider.issuer)
      const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: { ...path, ...env } })
      t.match(stdout, printedBy(code))
      return stdout
    }
    const operator = await runBlock(registering, PRELUDE + OPERATOR, { BIN })
    const set = Object.fromEntries(
      [...operator.matchAll(/^(ALMONER_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    const added = await runBlock(registeringBackend, PRELUDE + OPERATOR, { BIN })
    const [, SECRET = ''] = /"client_secret":"([^"]+)"/.exec(added) ?? []
    const server = await serve(folder, [], set)
    t.teardown(server.stop)
    const URL = server.url
    const tokenIn = (text: string) =>
      JSON.parse(text) as { readonly access_token: string; readonly scope: string }
    const ID_TOKEN = await idTokenOf(provider.issuer, redirectUri, 'ada')
    const asAda = tokenIn(await runBlock(exchanging, PRELUDE, { URL, ID_TOKEN }))
    const headers = { authorization: `Bearer ${asAda.access_token}` }
    const answer = await fetch(`${URL}/user/me/notification/preference`, {
      ...{ method: 'PUT', headers, body: new URLSearchParams({ lang: 'fr' }) },
    })
    t.match(await answer.json(), { preference: { email: 'ada@example.org', lang: 'fr' } })
    const bens = exchanging.replace('user user-donor', 'user')
    const asBen = { URL, ID_TOKEN: await idTokenOf(provider.issuer, redirectUri, 'ben') }
    t.equal(tokenIn(await runBlock(bens, PRELUDE, asBen)).scope, 'user', 'without the claim of donors')
    const vouched = tokenIn(await runBlock(vouching, PRELUDE, { URL, SECRET }))
    t.equal(vouched.scope, 'user')
  },
)

t.test('docs/apps.md: Swift and Kotlin send the requests of the shell', async (t) => {
  const { requests, folder, env } = await startManual(t)
  const code = blocksIn('sh').filter(({ code, name }) => name === 'first' || code.includes('field()'))
  requests.length = 0
  const script = code.map((block) => block.code.replaceAll(OF_DEMONSTRATION, '')).join('')
  await run('bash', ['-c', PRELUDE + script], { cwd: folder, env })
  const ids = /\/library\/[0-9a-f-]{36}/
  const [, ...recorded] = requests.map(({ path, ...rest }) => ({
    ...rest,
    path: path.replace(ids, '/library/ID'),
  }))
  t.equal(recorded.length, 5)
  for (const language of ['swift', 'kotlin']) {
    const [block] = blocksIn(language)
    const calls = [
      ...(block?.code.matchAll(/\bcall\(\s*"([A-Z]+)", "([^"]+)"([^\n]*(?:\n {4}"[^\n]*)*)/g) ?? []),
    ]
    const named = calls.map(([, method, path = '', rest = '']) => ({
      method,
      form: [...rest.matchAll(/"(\w+)"(?::| to) /g)].map(([, name]) => name),
      path: path.replace(/\\\(first\.itemId\)|\$itemId/, 'ID'),
    }))
    t.strictSame(named, recorded, language)
  }
})

/** The program of the manual, which imports the client from its sources. */
const program = () =>
  blocksIn('ts')
    .map(({ code }) => code)
    .join('\n')
    .replaceAll("'@almoner/client'", `'${join(ROOT, 'packages/client/src/index.ts')}'`)
    .replaceAll(/'@almoner\/client\/([\w-]+)'/g, `'${join(ROOT, 'packages/client/src/$1.ts')}'`)

const OPTIONS = {
  ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
  ...{ module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'] },
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

t.test('docs/apps.md: the program in TypeScript compiles strictly, and runs', async (t) => {
  const { requests, folder, env } = await startManual(t)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'app.ts'), program())
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, files: ['app.ts'] }),
  )
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
  t.equal(compiled.stdout, '')
  const { stdout } = await run(process.execPath, ['app.ts'], { cwd: folder, env })
  t.match(stdout, /2026-05-01 Wells of the north\n/)
  t.match(stdout, /\[ 'Water', 'Health' \]\n/)
  t.match(stdout, /^The copy has Wells of the north$/m)
  t.match(stdout, /\/static\/media\/r\/\d+\/.*\.webp A woman fills a bucket at a well\.\n/)
  t.match(stdout, /^https:\/\/example\.org\/wells$/m)
  t.match(stdout, /\/static\/media\/.*\.png\nDraft The pump works \n/)
  t.match(stdout, /^new A new well$/m)
  t.match(stdout, /^The copy has Wells of the north$/m)
  t.ok(requests.some(({ path }) => path === '/user/me/notification/token'))
})
