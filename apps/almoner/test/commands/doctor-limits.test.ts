import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { withinLimit } from '@almoner/adapters-node/jobs'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { databaseCheck } from '../../src/commands/doctor/database.ts'
import { WITH_PROVIDERS } from '../../src/commands/doctor/doctor.ts'
import { type Check, carryOut, type Examination, THIS_MACHINE } from '../../src/commands/doctor/finding.ts'
import { makeService } from '../../src/composition/service.ts'
import { readSettings } from '../../src/config/read.ts'
import { readiness } from '../../src/serve/ready.ts'
import { almoner, type Variables } from '../support/almoner.ts'

// Every check has a time limit and reports when it has passed, so the doctor always ends.

/** A host that takes connections and says nothing. */
const silentHost = async (t: Test) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    at: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    connections: () => sockets.size,
  }
}

const silentPlaces = (at: string): Variables => ({
  ALMONER_DATABASE: `postgres://almoner@${at}/almoner`,
  ALMONER_MEDIA: `s3://bucket/prefix?endpoint=http://${at}&region=eu-west-3`,
  ALMONER_BASE_URL: 'https://almoner.example.org',
  ALMONER_CONSOLE_SIGN_IN: 'oidc',
  ALMONER_OIDC_ISSUER: `https://${at}`,
  ALMONER_OIDC_CLIENT_ID: 'almoner',
  ALMONER_OIDC_CLIENT_SECRET: 'secret',
  ALMONER_PUSH: 'fcm',
  ALMONER_FCM_URL: `https://${at}`,
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'key',
})

const never = (): Promise<never> => new Promise(() => {})

/** Something whose every part can be called, at any depth, and which never resolves when it is awaited. */
const silent = (): never =>
  new Proxy(() => {}, {
    get: (_target, name) => (name === 'then' ? () => {} : silent()),
    apply: silent,
  }) as unknown as never

const settingsOf = (variables: Variables) => {
  const settings = readSettings(variables)
  if (E.isLeft(settings)) throw new Error(settings.left.join())
  return settings.right
}

/** The examination of a machine on which nothing answers. */
const examinationOf = (variables: Variables): Examination => {
  const settings = settingsOf(variables)
  const service = makeService(settings, () => silent())
  const parts = { database: never, media: never, providers: never, pushGateway: never, close: never }
  return {
    settings,
    service: { ...service, ...parts },
    machine: { ...THIS_MACHINE, roomAt: never, mayWrite: never },
    database: {
      ...silent,
      clock: { now: Date.now },
      store: silent(),
      migrator: silent(),
      close: never,
    } as never,
  }
}

/** The checks that wait for nothing outside of this process. */
const ALONE = ['address', 'metrics', 'proxy', 'link checks', 'previews']

t.test('doctor: each check that waits for something reports itself as failed, with a fix', async (t) => {
  const { at } = await silentHost(t)
  const onServer = examinationOf(silentPlaces(at))
  const { ALMONER_DATABASE: _, ...places } = silentPlaces(at)
  const folder = t.testdir({ 'almoner.db': '' })
  const [host = '', port = ''] = at.split(':')
  const file = { ALMONER_DATABASE: `sqlite:${folder}/almoner.db`, ALMONER_HOST: host, ALMONER_PORT: port }
  const onFile = examinationOf({ ...places, ...file })
  const checks: ReadonlyArray<Check> = [databaseCheck, ...WITH_PROVIDERS]
  // One check may wait on one engine only, as that of the disk.
  const found = await Promise.all(
    checks.map(async (check) => {
      const both = await Promise.all(
        [onServer, onFile].map((examination) => carryOut(check, examination, 200)),
      )
      return { check, found: both.flat() }
    }),
  )
  for (const {
    check,
    found: [...findings],
  } of found) {
    const late = findings.filter(({ what }) => what === `no answer from ${check.asks} within 0.2 s`)
    t.equal(late.length > 0, !ALONE.includes(check.name), `${check.name}: ${check.asks}`)
    for (const { level, fix } of late) {
      t.equal(level, 'fault')
      t.match(fix, `see that ${check.asks} can be reached from here and answers`)
    }
  }
})

t.test('doctor: with hosts that never answer it ends with 1, and closes its connections', async (t) => {
  const host = await silentHost(t)
  const { code, out } = await almoner(
    t.testdir(),
    ['doctor', '--json', '--push', '--limit', '1'],
    silentPlaces(host.at),
  )
  t.equal(code, 1)
  const { findings }: { findings: ReadonlyArray<{ check: string; level: string; fix: string }> } =
    JSON.parse(out)
  for (const check of ['database', 'media', 'sign-in'])
    t.match(
      findings.filter((finding) => finding.check === check && finding.level === 'fault'),
      [{ fix: /.+/ }],
      check,
    )
})

t.test('a time limit counts time in which the process waits, not time in which it works', async (t) => {
  const busy = async () => {
    const until = performance.now() + 350
    while (performance.now() < until);
    await pause(1)
    return 'done'
  }
  t.equal(await withinLimit(busy(), 200, 'a busy check'), 'done')
  await t.rejects(withinLimit(never(), 100, 'the moon'), { message: 'no answer from the moon within 0.1 s' })
})

t.test(
  'I3: /health/ready names a part that does not answer, and does not ask it again while it hangs',
  async (t) => {
    let asked = 0
    const service = {
      settings: { reviewEvery: 60 },
      database: { migrator: silent() },
      media: {
        check: () => {
          asked += 1
          return never()
        },
      },
      askSending: never,
    } as unknown as Parameters<typeof readiness>[0]
    const ready = readiness(service, undefined, 100)
    await t.rejects(ready(), { message: /^no answer from the (?:database|image storage) within 0.1 s$/ })
    await t.rejects(ready(), { message: /^no answer from/ })
    t.equal(asked, 1)
  },
)
