import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instant, toRfc3339 } from '@almoner/domain/values'
import { openProvider } from '@almoner/oidc-provider'
import { apnsError, permissionDenied } from '@almoner/push-providers'
import {
  done,
  sampleDevice,
  sampleNotification,
  sampleOrganization,
  samplePortfolio,
} from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { DEFAULT_DATABASE, makeCurrent, makeOlder, onStore } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'
import { withProviders } from '../support/providers.ts'

interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'fault'
  readonly what: string
  readonly fix: string
}

type Variables = Readonly<Record<string, string>>

const placesIn = (folder: string): Variables => ({
  ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
  ALMONER_MEDIA: `file:${join(folder, 'data/media')}`,
})

/** What the doctor finds; its exit code and its line say whether something has to be done. */
const examine = async (variables: Variables, ...args: ReadonlyArray<string>) => {
  const { code, out, err } = await inProcess(['doctor', '--json', ...args], variables)
  const { findings }: { findings: ReadonlyArray<Finding> } = JSON.parse(out)
  const faults = findings.filter(({ level }) => level === 'fault')
  t.strictSame(
    [code, err],
    faults.length === 0 ? [0, ''] : [1, `almoner: findings that need action: ${faults.length}\n`],
  )
  for (const { level, what, fix } of findings) {
    t.ok(what.length > 0 && !what.includes('\n'))
    t.equal(fix === '', level === 'ok', what)
  }
  return { findings, faults, of: (check: string) => findings.filter((finding) => finding.check === check) }
}

t.test('doctor: before the first start it lists what will be created, and creates nothing', async (t) => {
  const folder = t.testdir()
  const { faults, of } = await examine(placesIn(folder))
  t.strictSame(faults, [])
  t.match(of('media'), [{ level: 'ok', what: /will be made$/ }])
  const typo = /^see whether ALMONER_DATABASE has a typo/
  t.match(of('database'), [{ level: 'warning', what: /will be made$/, fix: typo }])
  t.match(of('push'), [{ level: 'warning', what: /only written into the log/ }])
  t.strictSame(readdirSync(folder), [])
  const { code, out } = await inProcess(['doctor'], placesIn(folder))
  t.equal(code, 0)
  t.match(out, /^ok {7}settings: all can be read$/m)
  t.match(out, /^warning {2}push: [^\n]+\n {9}name the providers in ALMONER_PUSH$/m)
})

t.test('doctor: a healthy service has only positive results', async (t) => {
  const folder = t.testdir()
  const { variables, fcm, apns, webpush } = await withProviders(t, folder)
  await makeCurrent(folder)
  mkdirSync(join(folder, 'data/media'))
  const all = { ...variables, ...placesIn(folder) }
  const { findings, of } = await examine(all)
  t.strictSame(
    findings.filter(({ level }) => level !== 'ok'),
    [],
  )
  t.match(of('database'), [{ what: 'it opens, and its schema is current' }])
  t.equal(of('push').length, 3)
  t.strictSame(of('providers'), [])
  t.strictSame([fcm.requests, apns.requests, webpush.requests], [[], [], []], 'no provider is contacted')
  const asked = await examine(all, '--push')
  t.match(asked.of('providers'), [
    { level: 'ok', what: /^fcm: / },
    { level: 'ok', what: /^apns: / },
    { level: 'ok', what: /^webpush: / },
  ])
  t.match(fcm.requests, [{ body: { validate_only: true } }])
  t.equal(apns.requests.length, 1)
  t.strictSame(webpush.requests, [], 'only a subscription could be checked')
})

t.test('doctor: all invalid settings are reported together, without further checks', async (t) => {
  const { findings } = await examine({ ALMONER_PORT: 'x', ALMONER_PROT: '1', ALMONER_PUSH: 'smoke' })
  t.match(findings, [
    { check: 'settings', level: 'fault', what: 'ALMONER_PORT must be a whole number from 0 to 65535' },
    { check: 'settings', what: /^ALMONER_PUSH must be log/ },
    { check: 'settings', what: /^ALMONER_PROT is no setting/ },
  ])
  t.equal(findings.length, 3)
})

/** A database that opens, and of which the last pages are lost. */
const makeDamaged = async (folder: string) => {
  await makeCurrent(folder)
  const file = join(folder, DEFAULT_DATABASE)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xab, bytes.length - 2 * 4096))
}

t.test('doctor: every kind of unusable database is reported', async (t) => {
  const place = (folder: string) => join(folder, DEFAULT_DATABASE)
  const cases: ReadonlyArray<
    readonly [string, (folder: string) => unknown, Partial<Record<keyof Finding, RegExp>>]
  > = [
    [
      'older',
      (folder) => makeOlder(folder),
      { what: /older than this program/, fix: /^run almoner migrate$/ },
    ],
    [
      'no database',
      (folder) => writeFileSync(place(folder), 'x'.repeat(5000)),
      {
        what: /not available: .*\(SQLITE_NOTADB\)$/,
        fix: /^see whether ALMONER_DATABASE has a typo .*; if it is the right one, go back to the last backup/,
      },
    ],
    ['damaged', makeDamaged, { what: /it is damaged: |malformed/, fix: /^go back to the last backup/ }],
    ['a folder', (folder) => mkdirSync(place(folder)), { what: /not available/ }],
  ]
  for (const [name, make, finding] of cases) {
    const folder = t.testdir({ data: { media: {} } })
    await make(folder)
    const { faults, of } = await examine(placesIn(folder))
    t.match(faults, [{ check: 'database', ...finding }], name)
    t.match(of('media'), [{ level: 'ok' }], 'the other checks still run')
  }
})

t.test('doctor: an empty database file may be a typo in its path', async (t) => {
  const folder = t.testdir({ data: { 'almoner.db': '', media: {} } })
  const { faults, of } = await examine(placesIn(folder))
  t.strictSame(faults, [])
  t.match(of('database'), [
    { level: 'warning', what: /^it is empty/, fix: /^see whether ALMONER_DATABASE has a typo/ },
  ])
})

t.test('doctor: metrics on the main port are a warning if the base URL is public', async (t) => {
  const places = placesIn(t.testdir())
  const found = async (variables: Variables) => (await examine({ ...places, ...variables })).of('metrics')
  const at = (host: string) => ({ ALMONER_BASE_URL: `http://${host}/api` })
  const open = [{ level: 'warning', what: /^anyone may read \/metrics/, fix: /ALMONER_METRICS=127/ }]
  for (const host of ['api.example.org', 'example.org:8443', '203.0.113.7', '[2001:db8::1]', '172.32.0.1'])
    t.match(await found(at(host)), open, host)
  const inside = ['localhost:3000', 'almoner', 'db.internal', 'printer.local.', '127.0.0.1', '10.1.2.3']
  for (const host of [...inside, '172.16.0.1', '192.168.1.1:3000', '169.254.1.1', '[::1]', '[fd00::1]'])
    t.match(await found(at(host)), [{ level: 'ok' }], host)
  t.match(await found({}), [{ level: 'ok' }])
  for (const metrics of ['off', '127.0.0.1:9464'])
    t.match(await found({ ...at('example.org'), ALMONER_METRICS: metrics }), [{ level: 'ok' }], metrics)
})

t.test('H2, doctor: years outside ALMONER_JOINED_YEARS are a warning that names the setting', async (t) => {
  const folder = t.testdir()
  const organizations = [2015, 2021, 2012, 2021].map((since, n) => sampleOrganization(`o${n}`, { since }))
  const content = { ...samplePortfolio(), organizations, introductions: [], summaries: [], programs: [] }
  await makeCurrent(folder)
  await onStore(folder, ({ portfolio }) =>
    done(portfolio.replace({ ...content, challenges: [], datasets: [] })),
  )
  const found = async (variables: Variables) =>
    (await examine({ ...placesIn(folder), ...variables })).of('portfolio')
  t.match(await found({}), [
    {
      level: 'warning',
      what: 'organizations joined in 2012, 2021, and ALMONER_JOINED_YEARS is 2015-2018: ?joined= refuses those years',
      fix: 'set ALMONER_JOINED_YEARS=2012-2021',
    },
  ])
  t.match(await found({ ALMONER_JOINED_YEARS: '2012-2021' }), [{ level: 'ok' }])
})

t.test('doctor: an unreachable database server is reported with the fix', async (t) => {
  const nowhere = { ALMONER_DATABASE: 'postgres://almoner@127.0.0.1:1/almoner' }
  const { faults } = await examine({ ...placesIn(t.testdir({ data: {} })), ...nowhere })
  t.match(faults, [
    { check: 'database', what: /no database can be reached/, fix: /^see that the server runs/ },
  ])
})

t.test('doctor: folders that are not writable are reported', async (t) => {
  const folder = t.testdir({ file: '' })
  const below = join(folder, 'file/below')
  const { faults } = await examine({
    ALMONER_DATABASE: `sqlite:${below}`,
    ALMONER_MEDIA: `file:${join(folder, 'file')}`,
  })
  t.match(faults, [
    { check: 'database', what: /cannot be (?:made|looked at)/ },
    { check: 'media', what: /cannot be stored/ },
  ])
  const served = await examine({ ...placesIn(folder), ALMONER_MEDIA_SERVE: 'signed' })
  t.match(served.faults, [
    { check: 'media', what: /^ALMONER_MEDIA_SERVE must be proxy while images are in a folder/ },
  ])
  const unwritable = await examine({ ...placesIn(folder), ALMONER_PUSH: `file:${below}` })
  t.match(unwritable.faults, [{ check: 'push', what: 'the file for pushes cannot be written' }])
  const fine = await examine({ ...placesIn(folder), ALMONER_PUSH: `file:${join(folder, 'pushes')}` })
  t.match(fine.of('push'), [{ level: 'warning', what: /only written into a file/ }])
  t.notOk(existsSync(join(folder, 'pushes')))
})

t.test('doctor: missing settings of a provider are named; unused ones are a warning', async (t) => {
  const folder = t.testdir()
  const { variables, write, secrets } = await withProviders(t, folder)
  const spoilt = {
    ...variables,
    ...placesIn(folder),
    ALMONER_PUSH: 'fcm,webpush',
    ALMONER_PUSH_DEFAULT: 'apns',
    ALMONER_FCM_CREDENTIALS: write('spoilt.json', '{"project_id":"p","client_email":"e","private_key":"k"}'),
    ALMONER_VAPID_SUBJECT: 'mailto:push@localhost',
  }
  const { of } = await examine(spoilt, '--push')
  t.match(of('push'), [
    { level: 'fault', what: /^ALMONER_FCM_CREDENTIALS .* no RSA private key$/ },
    { level: 'fault', what: /^ALMONER_VAPID_PUBLIC_KEY, .*subject/ },
    { level: 'warning', what: /^ALMONER_APNS_KEY, .*: set, and not used$/, fix: /^name apns / },
    { level: 'warning', what: /count as apns, to which nothing is sent$/ },
  ])
  t.match(of('providers'), [{ level: 'ok', what: 'there is no provider that could be asked' }])
  const { out } = await inProcess(['doctor', '--push'], spoilt)
  for (const secret of secrets) t.notOk(out.includes(secret))
})

t.test('G8: doctor reports ended notifications that are older than the settings allow', async (t) => {
  const folder = t.testdir({ data: { media: {} } })
  await makeCurrent(folder)
  const at = instant(Date.now() - 100 * 86_400_000)
  await onStore(folder, async (store) => {
    await done(store.devices.attach(sampleDevice(1)))
    await done(store.notifications.add(sampleNotification(1, { date: O.some(at) })))
    await done(store.deliveries.start(at, 86_400_000))
    const batch = await done(
      store.deliveries.claim({ now: at, most: 5, first: 'retries', except: [], isAbandoned: () => true }),
    )
    if (O.isNone(batch)) throw new Error('there is nothing to claim')
    const { claim, recipients } = batch.value
    const results = recipients.map(
      ({ deviceId }) => ({ deviceId, kind: 'notSent', outcome: 'failed' }) as const,
    )
    await done(store.deliveries.record(claim, results, { now: at, last: true, credentials: {} }))
  })
  const rows = `per-device rows of notifications that ended ${toRfc3339(at)} are stored, although ALMONER_DELIVERY_DAYS is 90`
  const first = await examine(placesIn(folder))
  t.match(first.of('retention'), [{ level: 'warning', what: rows, fix: /^keep a server running/ }])
  const both = await examine({ ...placesIn(folder), ALMONER_NOTIFICATION_DAYS: '30' })
  t.match(both.of('retention'), [
    { what: rows },
    { what: /^notifications that ended .* ALMONER_NOTIFICATION_DAYS is / },
  ])
  const long = await examine({ ...placesIn(folder), ALMONER_DELIVERY_DAYS: '36500' })
  t.match(long.of('retention'), [{ level: 'ok' }])
  await onStore(folder, async ({ retention }) => {
    while ((await done(retention.purgeDeliveries(at))) > 0);
  })
  t.match((await examine(placesIn(folder))).of('retention'), [{ level: 'ok' }])
})

t.test('F5: doctor counts the devices with tokens of unknown kind', async (t) => {
  const folder = t.testdir({ data: { media: {} } })
  await makeCurrent(folder)
  t.match((await examine(placesIn(folder))).of('devices'), [{ level: 'ok' }])
  await onStore(folder, async (store) => {
    for (const n of [1, 2]) await done(store.devices.attach(sampleDevice(n, { kind: 'unroutable' })))
  })
  t.match((await examine(placesIn(folder))).of('devices'), [
    { level: 'warning', what: /no known kind: 2\./, fix: /ALMONER_PUSH_DEFAULT/ },
  ])
})

t.test('doctor --push: each rejection by a provider is reported with the fix', async (t) => {
  const folder = t.testdir()
  const { variables, fcm, apns, write } = await withProviders(t, folder)
  const all = { ...variables, ...placesIn(folder) }
  fcm.otherwise(permissionDenied('p'))
  apns.otherwise(apnsError('TopicDisallowed'))
  t.match((await examine(all, '--push')).faults, [
    { check: 'providers', what: 'fcm: it refuses us: PERMISSION_DENIED', fix: /Cloud Messaging API/ },
    { check: 'providers', what: 'apns: it refuses us: TopicDisallowed', fix: /ALMONER_APNS_TOPIC/ },
  ])
  t.match((await examine({ ...all, ALMONER_PUSH_CA: '' }, '--push')).faults, [
    { what: 'fcm: we refuse the certificate that its address shows', fix: /ALMONER_PUSH_CA/ },
    { what: 'apns: we refuse the certificate that its address shows', fix: /ALMONER_PUSH_CA/ },
  ])
  await Promise.all([fcm.stop(), apns.stop()])
  t.match((await examine(all, '--push')).faults, [
    { what: 'fcm: no answer', fix: /ALMONER_FCM_URL/ },
    { what: 'apns: no answer', fix: /ALMONER_APNS_URL/ },
  ])
  const strange = { ...all, ALMONER_PUSH_CA: write('strange.pem', 'no certificates') }
  const { of } = await examine(strange, '--push')
  t.match(of('push')[0], { level: 'fault', what: /^ALMONER_PUSH_CA / })
  t.match(of('providers'), [{ what: 'there is no provider that could be asked' }])
})

t.test('doctor: the OpenID provider is asked for its configuration', async (t) => {
  const redirectUri = 'https://almoner.example.org/console/sign-in'
  const { stop, issuer } = await openProvider({ redirectUri, accounts: new Map() })
  t.teardown(stop)
  const variables = {
    ...placesIn(t.testdir()),
    ALMONER_BASE_URL: 'https://almoner.example.org',
    ALMONER_CONSOLE_SIGN_IN: 'oidc',
    ALMONER_OIDC_ISSUER: issuer,
    ALMONER_OIDC_CLIENT_ID: 'almoner',
    ALMONER_OIDC_CLIENT_SECRET: 'secret-of-the-client',
  }
  const answer = {
    level: 'ok',
    what: `the OpenID provider answers; it must know the redirect URI ${redirectUri}`,
  }
  t.match((await examine(variables)).of('sign-in'), [{ level: 'ok' }, answer])
  await stop()
  const { faults } = await examine(variables)
  t.match(faults, [
    { check: 'sign-in', what: /^the OpenID provider does not give/, fix: /ALMONER_OIDC_ISSUER/ },
  ])
  t.notMatch(JSON.stringify(faults), /secret-of-the-client/)
})
