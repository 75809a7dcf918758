import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, startSmallCluster, startStandby } from '@almoner/postgres-server'
import * as E from 'fp-ts/lib/Either.js'
import pino from 'pino'
import t, { type Test } from 'tap'
import { openService } from '../../src/composition/server.ts'
import { readSettings } from '../../src/config/read.ts'
import { startServing } from '../../src/serve/serving.ts'
import { get, tokenOf } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'

// I8: a server with standbys.

type Variables = Readonly<Record<string, string>>

/** A primary with our tables, the settings of a server on it, and a client. */
const startPrimary = async (t: Test) => {
  const primary = await startSmallCluster()
  await primary.createDatabase('almoner')
  const variables: Variables = {
    ALMONER_DATABASE: primary.url('almoner'),
    ALMONER_MEDIA: `file:${t.testdir()}`,
    ALMONER_CONSOLE: 'off',
    ALMONER_REVIEW: 'off',
    ALMONER_CACHE: '0',
    ALMONER_PORT: '0',
  }
  const added = await inProcess(['client', 'add', '--id', 'reader', '--scope', 'user'], variables)
  return { primary, variables, client: JSON.parse(added.out) }
}

/** A server, and its log. */
const startServer = async (variables: Variables) => {
  const settings = readSettings(variables)
  if (E.isLeft(settings)) throw new Error(settings.left.join())
  const lines: Array<string> = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const service = await openService(settings.right, logger)
  const { http, stop } = await startServing(service, logger)
  const url = `http://127.0.0.1:${http.port}`
  const ready = async () => (await fetch(`${url}/health/ready`)).json()
  return { url, lines, ready, stop, trouble: () => service.database.standbyTrouble?.() }
}

/** Returns what the doctor says of the database. */
const examined = async (variables: Variables) => {
  const { findings } = JSON.parse((await inProcess(['doctor', '--json'], variables)).out)
  return findings.filter(({ check }: { check: string }) => check === 'database')
}

t.test(
  'I8: standbys answer what clients read; log, /health/ready and doctor name one that does not',
  async (t) => {
    const { primary, variables, client } = await startPrimary(t)
    const standby = await startStandby(primary)
    const withStandby = { ...variables, ALMONER_DATABASE_READS: standby.url('almoner') }
    const { url, lines, ready, stop, trouble } = await startServer(withStandby)

    const { access_token } = await tokenOf(url, client)
    const answered = async () => {
      const { status } = await get(`${url}/library/`, access_token)
      t.equal(status, 200)
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/duration_seconds_count\{operation="standby"\} (\d+)/.exec(text)?.[1])
    }
    while ((await answered()) === 0) await pause(10)

    t.strictSame(await ready(), { status: 'ready' })
    await standby.stop()
    while (trouble() === undefined) await pause(10)
    t.match(await ready(), { degraded: [/the standby .* is not used: /] })
    t.ok(
      lines.some((line) => line.includes('is not used')),
      'in the log',
    )
    await answered()
    t.match(await (await fetch(`${url}/metrics`)).text(), /^almoner_standbys_unused 1$/m)
    t.match(await examined(withStandby), [
      { level: 'ok' },
      { level: 'warning', what: /the standby .* is not used: /, fix: /ALMONER_DATABASE_READS/ },
    ])
    await stop()
    await primary.stop()
  },
)

t.test('I8: of several standbys of no use, log, /health/ready and doctor name each', async (t) => {
  const { primary, variables, client } = await startPrimary(t)
  const elsewhere = await startPrimary(t)
  const [foreign, good, paused] = [
    await startStandby(elsewhere.primary),
    await startStandby(primary),
    await startStandby(primary),
  ]
  await paused.catchUp()
  await paused.pauseReplay()
  await primary.ask("comment on table library_item is 'a change'", 'almoner')
  const servers: ReadonlyArray<Cluster> = [primary, foreign, paused, good]
  const withStandbys = {
    ...variables,
    ALMONER_READS_LAG: '1s',
    ALMONER_DATABASE_READS: servers.map(({ url }) => url('almoner')).join(),
  }
  const { url, lines, ready, stop } = await startServer(withStandbys)
  const { access_token } = await tokenOf(url, client)
  for (let n = 0; n < 20; n += 1) t.equal((await get(`${url}/library/`, access_token)).status, 200)

  const faults = [
    [primary, 'it takes writes, so it is no standby'],
    [foreign, 'it holds another database, or follows another primary'],
    [paused, 'it is more than 1 s behind'],
  ] as const
  const { degraded } = (await ready()) as { readonly degraded: ReadonlyArray<string> }
  const [, { what }] = await examined(withStandbys)
  const logged = lines.find((line) => line.includes('is not used'))
  for (const [{ socket }, text] of faults)
    for (const said of [degraded.join(), what, logged])
      t.match(said, new RegExp(`the standby ${socket}:5432 is not used: [^;]*${text}`))
  await stop()
  for (const server of [...servers, elsewhere.primary]) await server.stop()
})
