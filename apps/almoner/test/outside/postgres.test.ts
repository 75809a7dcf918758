import { setTimeout as pause } from 'node:timers/promises'
import { MIGRATIONS } from '@almoner/adapters-kysely'
import { startSmallCluster } from '@almoner/postgres-server'
import t from 'tap'
import { doctor } from '../../src/commands/doctor/doctor.ts'
import { THIS_MACHINE } from '../../src/commands/doctor/finding.ts'
import { serve } from '../support/almoner.ts'
import { ask, call } from '../support/asking.ts'
import { tokenOf } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'

// ALMONER_DATABASE=postgres://…: every command and the service work as they do on a file.

const linesOf = (verb: string): string => MIGRATIONS.map(({ name }) => `${verb} ${name}\n`).join('')

t.test('commands and the service work on PostgreSQL, and never show its password', async (t) => {
  const cluster = await startSmallCluster()
  await cluster.createDatabase('almoner')
  t.teardown(cluster.stop)
  const folder = t.testdir()
  const address = cluster.url('almoner').replace('almoner@', 'almoner:hushhush@')
  const variables = { ALMONER_DATABASE: address, ALMONER_MEDIA: `file:${folder}/media` }
  const command = (...args: ReadonlyArray<string>) => inProcess(args, variables)

  t.match(await command('migrate', '--plan'), { code: 0, out: linesOf('pending') })
  t.match(await command('doctor'), { out: /database: it is empty/ })
  t.match(await command('migrate'), { code: 0, out: linesOf('applied') })
  t.match(await command('migrate'), { code: 0, out: /up to date/ })
  const { code, out } = await command('client', 'add', '--id', 'app', '--scope', 'user', '--json')
  t.equal(code, 0)
  const { client_id, client_secret } = JSON.parse(out)
  t.match(await command('doctor'), { out: /database: it opens, and its schema is current/ })
  t.match(await command('doctor'), { out: /clock: it agrees with that of the database server/ })
  let late = ''
  const terminal = { environment: variables, input: async () => '', err: () => {}, isTerminal: false }
  const hear = (text: string) => {
    late += text
  }
  await doctor({ ...terminal, out: hear }, {}, { ...THIS_MACHINE, now: () => Date.now() - 95_000 })
  t.match(late, /^fault {4}clock: this machine's clock is 9[456] s behind that of the database server$/m)

  const limited = { ...variables, ALMONER_RATE_LIMIT: '20/min' }
  const server = await serve(folder, [], limited)
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const token = await call(`${server.url}/oauth2/get-token`, { method: 'POST', body: form })
  const { access_token } = (await token.json()) as { access_token: string }
  const get = (path: string) =>
    call(`${server.url}${path}`, { headers: { authorization: `Bearer ${access_token}` } })
  t.strictSame(await (await get('/library/')).json(), { items: [] })
  t.equal((await get('/health/ready')).status, 200)

  const others = [
    await serve(folder, [], limited),
    await serve(folder, [], { ...limited, ALMONER_WORKERS: '2' }),
  ]
  const wrong = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'none',
    client_secret: 'no',
  })
  // Without a kept connection, the workers of a server answer in turn.
  const headers = { connection: 'close' }
  const guess = async (url: string) =>
    (await call(`${url}/oauth2/get-token`, { method: 'POST', headers, body: wrong })).status
  const untilRefused = async (status: () => Promise<number>) => {
    for (let refused = 0; refused < 4; ) {
      refused = (await status()) === 429 ? refused + 1 : 0
      if (refused === 0) await pause(50)
    }
  }
  const spread = [server, ...others, server, ...others, server, ...others, server]
  for (const { url } of spread) t.equal(await guess(url), 401, 'A8: none has seen ten')
  for (const { url } of [server, ...others]) {
    const answer = async () => (await call(`${url}/oauth2/get-token`, { method: 'POST', body: form })).status
    t.equal(await answer(), 200, 'another pair')
    await untilRefused(() => guess(url))
  }
  const busy = JSON.parse((await command('client', 'add', '--id', 'busy', '--scope', 'user', '--json')).out)
  const { access_token: busyToken } = await tokenOf(server.url, busy)
  const asked = async (url: string) =>
    (await ask(`${url}/library/?lim=1`, { authorization: `Bearer ${busyToken}` })).status
  for (const { url } of [...spread, ...spread]) t.equal(await asked(url), 200, 'A8, I8: below the limit')
  for (const { url } of [server, ...others]) await untilRefused(() => asked(url))
  for (const other of others) t.equal((await other.stop()).code, 0)

  await cluster.stop()
  // A page that no response cache has yet: it may serve others until the lost connection is noticed.
  const refused = await get('/library/?lim=1')
  t.strictSame([refused.status, refused.headers.get('retry-after')], [503, '5'])
  t.notMatch(await refused.text(), /hushhush|postgres/)
  const ended = await server.stop()
  t.equal(ended.code, 0)
  const said = [
    server.said(),
    await command('migrate'),
    await command('doctor'),
    await command('user', 'list'),
  ]
  t.match(said[1], { code: 1, err: /^almoner: the database is not available: no database can be reached/ })
  t.notMatch(JSON.stringify(said), /hushhush/)
})
