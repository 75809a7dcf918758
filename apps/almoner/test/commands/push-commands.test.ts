import { join } from 'node:path'
import { nodeTimer, systemClock } from '@almoner/adapters-node'
import { DEFAULT_POLICY, mediaAddressesBelow } from '@almoner/domain'
import { MOST_REFUSALS, makeReview, SAMPLE_WINDOW } from '@almoner/domain/delivery'
import { DELIVERED, type PushResult, senderError, UNREGISTERED } from '@almoner/domain/notifications'
import { done, sampleDevice, sampleEmail, sampleNotification } from '@almoner/testkit/contracts'
import { evenRandom, memoryPushGateway } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { DEFAULT_DATABASE, makeCurrent, onStore } from '../support/database.ts'
import { inFolder, inProcess } from '../support/in-process.ts'

/** Attaches this number of sample devices, and reviews a notification to them with a provider that responds so. */
const reviewed = (folder: string, n: number, devices: number, result: PushResult) =>
  onStore(folder, async (store) => {
    for (let device = 0; device < devices; device += 1) await done(store.devices.attach(sampleDevice(device)))
    await done(store.notifications.add(sampleNotification(n, { date: O.some(systemClock.now()) })))
    const ports = {
      ...store,
      clock: systemClock,
      random: evenRandom,
      timer: nodeTimer,
      pushGateway: memoryPushGateway(() => result),
      mediaAddresses: mediaAddressesBelow('http://127.0.0.1'),
    }
    return done(makeReview(ports, DEFAULT_POLICY)({ window: 1000 }))
  })

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

t.test('G5: push status lists paused providers, and push resume ends a pause', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const variables = { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`, ALMONER_PUSH: 'fcm' }
  const running = await inProcess(['push', 'status'], variables)
  t.match(
    running.out,
    /^PROVIDER {2}STATE {4}SINCE {2}UNTIL {2}REASON\nfcm {7}running {2}- {6}- {6}-\napns {6}off .* ALMONER_PUSH does not name it\n/,
  )
  const { tally } = await reviewed(folder, 1, SAMPLE_WINDOW, UNREGISTERED)
  const left = SAMPLE_WINDOW - tally.dead
  t.ok(left > 0)
  const status = await inFolder(folder, ['push', 'status'])
  t.match(status.out, /^fcm {7}paused {2}\S+Z {2}almoner push resume fcm {2}too many tokens called dead$/m)
  const [pause] = JSON.parse((await inFolder(folder, ['push', 'status', '--json'])).out)
  t.match(pause, {
    provider: 'fcm',
    state: 'paused',
    reason: 'too many tokens called dead',
    since: MOMENT,
    until: '',
  })
  const doctor = await inFolder(folder, ['doctor', '--json'])
  t.match(
    JSON.parse(doctor.out).findings.filter(({ check }: { check: string }) => check === 'pauses'),
    [{ level: 'fault', what: /^fcm is paused since \S+: too many/, fix: /almoner push resume fcm$/ }],
  )
  t.equal(doctor.code, 1)
  const resumed = await inFolder(folder, ['push', 'resume', 'fcm'])
  t.match(resumed, { code: 0, err: '' })
  t.equal(resumed.out, `fcm is resumed; it was paused since ${pause.since}: ${pause.reason}\n`)
  t.match(await inFolder(folder, ['push', 'resume', 'fcm']), { code: 0, out: 'fcm was not paused\n' })
  const again = await reviewed(folder, 2, 0, DELIVERED)
  t.equal(again.tally.delivered, 2 * left, 'deferred pushes are sent by the next review')
})

t.test(
  'G5: with --ignore-unregistered-for a provider may call any number of tokens dead for that time',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    const told = await inFolder(folder, ['push', 'resume', 'fcm', '--ignore-unregistered-for', '1h'])
    t.match(
      told.out,
      /^fcm was not paused\nits reports of unregistered devices do not pause it until \S+Z\n$/,
    )
    const json = JSON.parse(
      (await inFolder(folder, ['push', 'resume', 'fcm', '--ignore-unregistered-for', '2h', '--json'])).out,
    )
    t.match(json, { provider: 'fcm', ended: [], overrideUntil: MOMENT })
    const [state] = JSON.parse((await inFolder(folder, ['push', 'status', '--json'])).out)
    t.strictSame(state, {
      state: 'override',
      provider: 'fcm',
      server: '',
      reason: 'log only, nothing is sent',
      since: '',
      until: json.overrideUntil,
    })
    const { tally, paused } = await reviewed(folder, 1, SAMPLE_WINDOW, UNREGISTERED)
    t.strictSame([tally.dead, paused], [SAMPLE_WINDOW, []])
  },
)

t.test('G5: push pause sends nothing by a provider until push resume, and is in the audit', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const { code, out } = await inFolder(folder, ['push', 'pause', 'fcm'])
  t.equal(code, 0)
  t.match(out, /^fcm is paused since \S+Z: paused by an operator\n$/)
  t.match(
    await inFolder(folder, ['push', 'pause', 'fcm']),
    { code: 0, out },
    'a second pause changes nothing',
  )
  const { tally, deferred } = await reviewed(folder, 1, 1, DELIVERED)
  t.strictSame([tally.delivered, deferred], [0, 1])
  await inFolder(folder, ['push', 'resume', 'fcm'])
  t.equal((await reviewed(folder, 2, 0, DELIVERED)).tally.delivered, 2)
  const { out: audit } = await inFolder(folder, ['audit', '--subject', 'fcm', '--json'])
  t.match(JSON.parse(audit), [
    { action: 'resume-provider', actor: { kind: 'command', id: 'push resume' } },
    { action: 'pause-provider', actor: { kind: 'command', id: 'push pause' } },
  ])
})

t.test('a provider with a sender error is listed with the time of the next attempt', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await reviewed(folder, 1, MOST_REFUSALS.unknown, senderError('PERMISSION_DENIED'))
  const [pause] = JSON.parse((await inFolder(folder, ['push', 'status', '--json'])).out)
  t.match(pause, { provider: 'fcm', state: 'probed', reason: 'PERMISSION_DENIED', until: MOMENT })
  const review = await inFolder(folder, ['notification', 'review'])
  t.match(review.out, /^fcm is paused: PERMISSION_DENIED \(almoner push status\)$/m)
  t.match(review.out, /^still being sent: 1$/m)
})

t.test(
  'G5: devices dead lists the devices detached within a week, devices restore attaches them again',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    t.match(await inFolder(folder, ['devices', 'dead']), { code: 0, out: /^DETACHED +PROVIDER {2}EMAIL\n$/ })
    t.equal((await inFolder(folder, ['devices', 'restore'])).out, 'restored: 0\n')
    await reviewed(folder, 1, 120, UNREGISTERED)
    const listed = (await inFolder(folder, ['devices', 'dead'])).out.trimEnd().split('\n')
    t.equal(listed.length, 121)
    t.match(listed[1], new RegExp(`^\\S+Z {2}fcm {7}${sampleEmail(0)}$`))
    const json = JSON.parse((await inFolder(folder, ['devices', 'dead', '--last', '1h', '--json'])).out)
    t.equal(json.length, 120)
    t.match(json[0], { email: sampleEmail(0), provider: 'fcm', attachedAt: MOMENT, detachedAt: MOMENT })
    t.notMatch(JSON.stringify(json), /token/, 'the token alone allows sending to the device')
    t.equal((await inFolder(folder, ['devices', 'dead', '--provider', 'apns', '--json'])).out, '[]\n')
    t.strictSame(
      JSON.parse((await inFolder(folder, ['devices', 'restore', '--provider', 'apns', '--json'])).out),
      { restored: 0 },
    )
    t.equal((await inFolder(folder, ['devices', 'restore', '--provider', 'fcm'])).out, 'restored: 120\n')
    t.equal((await inFolder(folder, ['devices', 'dead', '--json'])).out, '[]\n')
    t.equal((await reviewed(folder, 2, 0, DELIVERED)).tally.delivered, 120)
  },
)

t.test('wrong usage is exit 2 with one line', async (t) => {
  const folder = t.testdir()
  for (const [args, line] of [
    [['push', 'pause', 'gcm'], 'PROVIDER must be one of fcm, apns, webpush'],
    [['push', 'resume', 'gcm'], 'PROVIDER must be one of fcm, apns, webpush'],
    [
      ['push', 'resume', 'fcm', '--ignore-unregistered-for', 'ever'],
      '--ignore-unregistered-for must be a time such as 90s, 30m, 24h or 7d, at most 365d',
    ],
    [['devices', 'dead', '--provider', ''], '--provider must be one of fcm, apns, webpush'],
    [
      ['devices', 'restore', '--last', '-1h'],
      '--last must be a time such as 90s, 30m, 24h or 7d, at most 365d',
    ],
  ] as const)
    t.strictSame(await inFolder(folder, args), { code: 2, out: '', err: `almoner: ${line}\n` })
  t.equal((await inFolder(folder, ['push', 'resume'])).code, 2)
})
