import { collect } from '@almoner/domain/values'
import { done, failure, sampleDevice } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { manager } from './fixtures/fixture.ts'

const NOW = Date.UTC(2026, 4, 1, 12)
const SECOND = 1000

const operator = domain.callerOf({
  clientId: 'ops' as domain.ClientId,
  ...domain.DUTIES.operator,
  email: O.none,
})

const start = (replaced: Partial<domain.Ports> = {}) => {
  const clock = setClock(NOW)
  const ports = memoryPorts({ clock, ...replaced })
  return { clock, ports, operations: domain.createAlmoner(ports).operations }
}

const codes = (findings: ReadonlyArray<domain.HealthFinding>) =>
  findings.filter(({ level }) => level !== 'ok').map(({ code }) => code)

t.test('M2: what operators do needs the role super-admin', async (t) => {
  const { operations } = start()
  const acts = [
    operations.findings(manager, {}),
    operations.providers(manager, {}),
    operations.pauseProvider(manager, { provider: 'fcm' }),
    operations.resumeProvider(manager, { provider: 'fcm' }),
    operations.statistics(manager, {}),
    operations.figures(manager, {}),
    operations.audit(manager, {}),
    operations.titles(manager, { ids: [] }),
  ]
  for (const act of acts) t.equal(await failure<unknown>(act), 'InsufficientRole')
})

t.test('G5, K1: an operator pauses a provider and resumes it, under their own name', async (t) => {
  const { operations } = start()
  const reasons = (states: ReadonlyArray<domain.ProviderState>) =>
    states.map(({ pause }) => O.toNullable(pause)?.reason)
  const paused = await done(operations.pauseProvider(operator, { provider: 'apns' }))
  t.strictSame(reasons(paused), [undefined, 'paused by an operator', undefined])
  t.strictSame(await done(operations.providers(operator, {})), paused)
  const unknown = { provider: 'expo' as domain.Provider }
  t.equal(await failure(operations.pauseProvider(operator, unknown)), 'ValidationFailed')
  const resumed = await done(
    operations.resumeProvider(operator, { provider: 'apns', ignoreUnregisteredHours: 2 }),
  )
  t.strictSame(reasons(resumed), [undefined, undefined, undefined])
  t.strictSame(resumed[1]?.overrideUntil, O.some(NOW + 2 * 3600 * SECOND))
  const records = await collect(await done(operations.audit(operator, {})))
  t.match(records, [
    { action: 'resume-provider', actor: { kind: 'client', id: 'ops' }, subject: { id: 'apns' } },
    { action: 'pause-provider' },
  ])
})

t.test('B8, K4: days of the audit are those of the time zone', async (t) => {
  const clock = setClock(Date.UTC(2026, 4, 1, 22, 30))
  const ports = memoryPorts({ clock })
  const { operations } = domain.createAlmoner(ports, { timeZone: 'Europe/Paris' as domain.TimeZone })
  await done(operations.pauseProvider(operator, { provider: 'fcm' }))
  const on = async (from: string, to: string) => {
    const days = { from: from as domain.LocalDate, to: to as domain.LocalDate }
    return (await collect(await done(operations.audit(operator, days)))).length
  }
  t.strictSame(
    [await on('2026-05-02', '2026-05-02'), await on('2026-05-01', '2026-05-01')],
    [1, 0],
    'half past midnight in Paris',
  )
})

t.test('F5, G5, G11: findings of the store are data; a failing check is one of them', async (t) => {
  const { clock, ports, operations } = start()
  t.strictSame(codes(await done(operations.findings(operator, {}))), [])
  await done(ports.devices.attach(sampleDevice(1, { kind: 'unroutable' })))
  await done(operations.pauseProvider(operator, { provider: 'fcm' }))
  const node = (name: string, zone: string) =>
    done(ports.nodes.beat({ id: name, name, settings: { zone }, lastSeenAt: clock.now() }, clock.now()))
  await node('a', 'UTC')
  await node('b', 'Europe/Paris')
  const findings = await done(operations.findings(operator, {}))
  t.strictSame(codes(findings), ['nodes-differ', 'pause-operator', 'devices-unroutable'])
  t.match(findings[0], { values: { setting: 'zone', holders: 'a: UTC; b: Europe/Paris' } })

  const broken = start({
    devices: { ...ports.devices, countUnroutable: () => TE.left(domain.unavailable(new Error('gone'))) },
  })
  t.strictSame(codes(await done(broken.operations.findings(operator, {}))), ['check-failed'])
})

t.test('statistics are counted once a minute, and again after a failure', async (t) => {
  let asked = 0
  const { ports } = start()
  const { clock, operations } = start({
    statistics: {
      ...ports.statistics,
      survey: (days) => {
        asked += 1
        return asked === 1 ? TE.left(domain.unavailable(new Error('gone'))) : ports.statistics.survey(days)
      },
    },
  })
  const show = () => operations.statistics(operator, {})
  t.equal(await failure(show()), 'Unavailable')
  const report = await done(show())
  t.equal(report.deliveries.days.length, 30)
  t.equal(report.deliveries.days.at(-1)?.day, '2026-05-01')
  t.strictSame(
    report.devices.map(({ kind }) => kind),
    ['fcm', 'apns', 'webpush', 'unroutable'],
  )
  clock.advance(59 * SECOND)
  await Promise.all([done(show()), done(show())])
  t.equal(asked, 2)
  clock.advance(SECOND)
  await Promise.all([done(show()), done(show())])
  t.equal(asked, 3)
})

t.test('figures name the nodes, the providers and what the host measures', async (t) => {
  const { ports } = start()
  await done(
    ports.nodes.beat(
      { id: 'a', name: 'a', settings: {}, lastSeenAt: domain.instant(NOW) },
      domain.instant(NOW),
    ),
  )
  const host: domain.Host = {
    ...domain.SILENT_HOST,
    measure: async () => ({ requests: O.some(7), operations: O.none, freeBytes: O.none }),
  }
  const figures = await done(domain.makeShowFigures(ports, host)(operator, {}))
  t.match(figures, { at: NOW, nodes: 1, host: { requests: O.some(7) }, queue: { pending: 0 } })
  t.equal(figures.providers.length, 3)
})
