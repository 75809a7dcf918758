import { setTimeout as pause } from 'node:timers/promises'
import { startSmallCluster, startStandby } from '@almoner/postgres-server'
import * as E from 'fp-ts/lib/Either.js'
import pino from 'pino'
import t from 'tap'
import { openService } from '../../src/composition/server.ts'
import { readSettings } from '../../src/config/read.ts'
import { startServing } from '../../src/serve/serving.ts'
import { get, tokenOf } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'

// I8: a server with standbys.

t.test(
  'I8: standbys answer what clients read; log, /health/ready and doctor name one that does not',
  async (t) => {
    const primary = await startSmallCluster()
    await primary.createDatabase('almoner')
    const variables = {
      ALMONER_DATABASE: primary.url('almoner'),
      ALMONER_MEDIA: `file:${t.testdir()}`,
      ALMONER_CONSOLE: 'off',
      ALMONER_REVIEW: 'off',
      ALMONER_CACHE: '0',
      ALMONER_PORT: '0',
    }
    const added = await inProcess(['client', 'add', '--id', 'reader', '--scope', 'user'], variables)
    const standby = await startStandby(primary)
    const withStandby = { ...variables, ALMONER_DATABASE_READS: standby.url('almoner') }
    const settings = readSettings(withStandby)
    if (E.isLeft(settings)) throw new Error(settings.left.join())
    const lines: Array<string> = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const service = await openService(settings.right, logger)
    const serving = await startServing(service, logger)
    const url = `http://127.0.0.1:${serving.http.port}`

    const { access_token } = await tokenOf(url, JSON.parse(added.out))
    const answered = async () => {
      const { status } = await get(`${url}/library/`, access_token)
      t.equal(status, 200)
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/duration_seconds_count\{operation="standby"\} (\d+)/.exec(text)?.[1])
    }
    while ((await answered()) === 0) await pause(10)

    const ready = async () => (await fetch(`${url}/health/ready`)).json()
    t.strictSame(await ready(), { status: 'ready' })
    await standby.stop()
    while (service.database.standbyTrouble?.() === undefined) await pause(10)
    t.match(await ready(), { degraded: [/the standby .* is not used: /] })
    t.ok(
      lines.some((line) => line.includes('is not used')),
      'in the log',
    )
    await answered()
    const doctor = JSON.parse((await inProcess(['doctor', '--json'], withStandby)).out)
    t.match(
      doctor.findings.filter(({ check }: { check: string }) => check === 'database'),
      [
        { level: 'ok' },
        { level: 'warning', what: /the standby .* is not used: /, fix: /ALMONER_DATABASE_READS/ },
      ],
    )
    await serving.stop()
    await primary.stop()
  },
)
