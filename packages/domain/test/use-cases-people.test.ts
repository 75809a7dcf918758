import { createECDH, randomBytes } from 'node:crypto'
import { collect } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  AMINA,
  amina,
  donor,
  type Fixture,
  manager,
  newFixture,
  user,
  userManager,
} from './fixtures/fixture.ts'

const BELA = 'bela@example.org'

const attach = ({ act }: Fixture, caller: domain.Caller, device_token: string, email = BELA) =>
  act.attachDevice(caller, read(domain.AttachDevice, { email, device_token }))

const devicesOf = async ({ act }: Fixture, caller: domain.Caller, email = BELA) =>
  collect(await done(act.listDevices(caller, { email })))

const allUsers = async ({ ports }: Fixture) => {
  const users: Array<domain.User> = []
  for await (const batch of ports.users.all()) users.push(...batch)
  return users
}

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const WEB_PUSH = (endpoint: string, keys: Readonly<Record<string, string>> = KEYS) =>
  JSON.stringify({ endpoint, keys })

t.test('F1: the first attached device creates the user, subscribed, language en', async (t) => {
  const fixture = newFixture()
  const device = await done(attach(fixture, amina, 'fcm:one'))
  t.same(device, { token: 'fcm:one', email: AMINA, kind: 'fcm', attachedAt: fixture.clock.now() })
  t.same(await allUsers(fixture), [{ email: AMINA, lang: 'en', subscribed: true, topics: [] }])
  t.same(await devicesOf(fixture, amina), [device])
})

t.test('F3: the user comes from the token, or from the path for a user-manager', async (t) => {
  const fixture = newFixture()
  await done(attach(fixture, amina, 'fcm:one', 'not even an email'))
  await done(attach(fixture, userManager, 'fcm:two', 'BELA@example.org'))
  t.same(
    (await devicesOf(fixture, amina)).map(({ token }) => token),
    ['fcm:one'],
  )
  t.same(
    (await devicesOf(fixture, userManager, BELA)).map(({ token }) => token),
    ['fcm:two'],
  )
  t.same(await devicesOf(fixture, userManager, 'nobody@example.org'), [], 'an unknown user has none')
})

t.test(
  'F3: a token without a bound user, and a malformed path that is used, are rejected and change nothing',
  async (t) => {
    const fixture = newFixture()
    const { act } = fixture
    const preference = read(domain.SetPreference, { email: BELA, lang: 'fr' })
    for (const [caller, email, tag] of [
      [donor, BELA, 'NoActingUser'],
      [userManager, 'nonsense', 'ValidationFailed'],
      [user, BELA, 'InsufficientScope'],
    ] as const) {
      t.equal(await failure(attach(fixture, caller, 'fcm:one', email)), tag)
      t.equal(await failure(act.listDevices(caller, { email })), tag)
      t.equal(await failure(act.detachDevice(caller, read(domain.DetachDevice, { email, token: 'x' }))), tag)
      t.equal(await failure(act.getPreference(caller, { email })), tag)
      t.equal(await failure(act.setPreference(caller, { ...preference, email })), tag)
    }
    t.equal(
      await failure(act.listDevices(manager, { email: BELA })),
      'NoActingUser',
      'A2: content-manager includes user-donor',
    )
    t.same(await allUsers(fixture), [])
  },
)

t.test(
  'F4: attaching another user’s device moves it; detaching it from the old user is not found',
  async (t) => {
    const fixture = newFixture()
    await done(attach(fixture, amina, 'fcm:one'))
    fixture.clock.advance(1000)
    const moved = await done(attach(fixture, userManager, 'fcm:one'))
    t.same([await devicesOf(fixture, amina), await devicesOf(fixture, userManager)], [[], [moved]])
    const detach = (caller: domain.Caller) =>
      fixture.act.detachDevice(caller, read(domain.DetachDevice, { email: BELA, token: 'fcm:one' }))
    t.equal(await failure(detach(amina)), 'DeviceNotFound')
    t.equal(await failure(detach(userManager)), 'none')
    t.equal(await failure(detach(userManager)), 'DeviceNotFound')
  },
)

t.test('F4: attaching a device again has no effect except that its kind is determined again', async (t) => {
  const fixture = newFixture()
  await done(attach(fixture, amina, 'what is this'))
  const other = newFixture({ pushDefault: O.some('apns') }, () => fixture.ports)
  const again = await done(attach(other, amina, 'what is this'))
  t.match(again, { kind: 'apns' })
  t.same(await devicesOf(fixture, amina), [again])
})

t.test('F5: a device is recorded with the kind of its token, or as unroutable', async (t) => {
  const kinds = async (policy: Partial<domain.Policy>) => {
    const fixture = newFixture(policy)
    const tokens = [
      'fcm:x',
      'fid:x',
      'a1'.repeat(32),
      'apns-sandbox:x',
      WEB_PUSH('https://fcm.googleapis.com/1'),
      'what is this',
    ]
    for (const token of tokens) await done(attach(fixture, amina, token))
    return (await devicesOf(fixture, amina)).map(({ kind }) => kind)
  }
  const known = ['fcm', 'fcm', 'apns', 'apns', 'webpush']
  t.same(await kinds({}), [...known, 'unroutable'])
  t.same(await kinds({ pushDefault: O.some('fcm') }), [...known, 'fcm'])
  t.same(await kinds({ pushDefault: O.some('apns') }), [...known, 'apns'])
})

t.test(
  'F5: a Web Push endpoint whose host is not on the allow-list is an error, and nothing is attached',
  async (t) => {
    const fixture = newFixture({ webPushHosts: ['push.example.org', 'localhost:8443'] })
    for (const endpoint of [
      'https://evil.example/',
      'https://fcm.googleapis.com/1',
      'https://localhost/',
      'https://push.example.org:8443/',
    ])
      for (const prefix of ['', 'webpush:'])
        t.match(
          await attach(fixture, amina, `${prefix}${WEB_PUSH(endpoint)}`)(),
          E.left({
            _tag: 'ValidationFailed',
            errors: [
              {
                field: 'device_token',
                message: 'must have its endpoint at a push service that this service sends to',
              },
            ],
          }),
        )
    t.same(await allUsers(fixture), [])
    for (const endpoint of ['https://push.example.org/1', 'https://localhost:8443/1'])
      t.match(await done(attach(fixture, amina, WEB_PUSH(endpoint))), { kind: 'webpush' })
    t.match(
      await done(attach(fixture, amina, WEB_PUSH('http://push.example.org/1'))),
      { kind: 'unroutable' },
      'without https it is not a subscription',
    )
  },
)

t.test('F5: a Web Push subscription with keys that nothing can be encrypted with is 400', async (t) => {
  const fixture = newFixture()
  const { p256dh, auth } = KEYS
  const bytes = Buffer.from(p256dh, 'base64url')
  const changed = (n: number, byte: number) =>
    Buffer.from(bytes.map((one, at) => (at === n ? byte : one))).toString('base64url')
  const faults = async (keys: Readonly<Record<string, string>>) => {
    const result = await attach(fixture, amina, WEB_PUSH('https://fcm.googleapis.com/1', keys))()
    return E.isLeft(result) && result.left._tag === 'ValidationFailed'
      ? result.left.errors.map(({ message }) => /key (\S+)/.exec(message)?.[1])
      : []
  }
  for (const [name, key] of Object.entries({
    empty: '',
    'no Base64': '*'.repeat(87),
    'too short': bytes.subarray(0, 64).toString('base64url'),
    'too long': Buffer.concat([bytes, Buffer.of(0)]).toString('base64url'),
    compressed: changed(0, 2),
    'off the curve': changed(64, (bytes[64] ?? 0) ^ 1),
    'a coordinate past the field': `BP${'_'.repeat(85)}`,
    'of zeros': Buffer.from([4, ...Array(64).fill(0)]).toString('base64url'),
  }))
    t.strictSame(await faults({ p256dh: key, auth }), ['p256dh'], name)
  for (const secret of ['', 'AAAA', '*'.repeat(22)])
    t.strictSame(await faults({ p256dh, auth: secret }), ['auth'], secret)
  t.strictSame(await faults({ p256dh: 'x', auth: 'x' }), ['p256dh', 'auth'])
  for (let n = 0; n < 20; n += 1) {
    const ecdh = createECDH('prime256v1')
    const key = ecdh.generateKeys()
    const spelt = key.toString(n % 2 === 0 ? 'base64' : 'base64url')
    t.strictSame(await faults({ p256dh: spelt, auth: randomBytes(16).toString('base64') }), [], spelt)
  }
})

t.test(
  'I1, F5: errors that only the use case can find are reported together with those of the request',
  async (t) => {
    const { act } = newFixture()
    const further = (caller: domain.Caller, raw: domain.RawParameters) => act.furtherDeviceErrors(caller, raw)
    const refused = WEB_PUSH('https://evil.example/')
    const fields = async (caller: domain.Caller, raw: domain.RawParameters) =>
      (await done(further(caller, raw))).map(({ field }) => field)
    t.same(await fields(userManager, { email: 'nonsense', device_token: refused }), ['email', 'device_token'])
    t.same(await fields(userManager, { email: BELA, device_token: '.' }), [], 'its codec reports that')
    t.same(await fields(amina, { email: 'nonsense', device_token: 'fcm:x' }), [])
    t.equal(await failure(further(donor, { email: BELA })), 'NoActingUser')
    t.equal(await failure(further(user, { email: BELA })), 'InsufficientScope')
  },
)

t.test('F2: GET of an unknown user is not found; PUT may be partial and creates the user', async (t) => {
  const fixture = newFixture()
  const { act } = fixture
  const set = (raw: domain.RawParameters) =>
    done(act.setPreference(amina, read(domain.SetPreference, { email: BELA, ...raw })))
  t.equal(await failure(act.getPreference(amina, { email: BELA })), 'UserNotFound')
  t.same(await set({ subscribed: 'false' }), { email: AMINA, lang: 'en', subscribed: false, topics: [] })
  t.same(await set({ lang: 'FR' }), { email: AMINA, lang: 'fr', subscribed: false, topics: [] })
  t.same(await set({}), { email: AMINA, lang: 'fr', subscribed: false, topics: [] })
  t.same(await done(act.getPreference(amina, { email: BELA })), {
    email: AMINA,
    lang: 'fr',
    subscribed: false,
    topics: [],
  })
  await done(attach(fixture, amina, 'fcm:one'))
  t.same(
    await allUsers(fixture),
    [{ email: AMINA, lang: 'fr', subscribed: false, topics: [] }],
    'a device does not change it',
  )
})

t.test('F2: an import creates and replaces users, or changes nothing', async (t) => {
  const fixture = newFixture()
  const importing = (rows: ReadonlyArray<domain.RawParameters>) =>
    pipe(
      TE.fromEither<domain.BadRows | domain.Unavailable, ReadonlyArray<domain.ImportedUser>>(
        domain.readUsers(rows),
      ),
      TE.flatMap(fixture.act.importUsers),
    )
  const row = (email: string, lang = 'en') => ({ email, lang, subscribed: 'true' })
  t.equal(await done(importing([row(AMINA), row(BELA)])), 2)
  t.equal(await failure(importing([row(AMINA, 'fr'), row('c@example.org'), row('nonsense')])), 'BadRows')
  t.same(
    (await allUsers(fixture)).map(({ email, lang }) => [email, lang]),
    [
      [AMINA, 'en'],
      [BELA, 'en'],
    ],
  )
  t.equal(await done(importing([row(AMINA, 'fr'), row('c@example.org')])), 2)
  t.same(
    (await allUsers(fixture)).map(({ email, lang }) => [email, lang]),
    [
      [AMINA, 'fr'],
      [BELA, 'en'],
      ['c@example.org', 'en'],
    ],
  )
  t.equal(await done(importing([])), 0)
})

t.test('F3: the path names the user, with any content', async (t) => {
  for (const email of [AMINA, 'x', 'a b']) t.strictSame(read(domain.OneUser, { email }), { email })
})

t.test('F2: rows without a readable email count as no repetition', async (t) => {
  const bad = { lang: 'en', subscribed: 'true' }
  const refused = domain.readUsers([bad, bad, { ...bad, email: 'x' }, { ...bad, email: AMINA.toUpperCase() }])
  const told = E.isLeft(refused) ? refused.left.rows : []
  t.same(
    told.map(({ row, errors: faults }) => [row, ...faults.map(({ message }) => message)]),
    [
      [0, 'is required'],
      [1, 'is required'],
      [2, 'must be an email address'],
    ],
  )
})

t.test('F2: an update of a preference changes only the given values in the store', async (t) => {
  const asked: Array<object> = []
  const { act } = newFixture({}, ({ users }) => ({
    users: {
      ...users,
      prefer: (email, preference) => {
        asked.push(preference)
        return users.prefer(email, preference)
      },
    },
  }))
  const set = (raw: domain.RawParameters) =>
    done(act.setPreference(amina, read(domain.SetPreference, { email: AMINA, ...raw })))
  await set({})
  await set({ lang: 'FR' })
  await set({ subscribed: false })
  t.strictSame(asked, [{}, { lang: 'fr' }, { subscribed: false }])
})

t.test('F6: topics must be labels, in a preference and in each row of an import', async (t) => {
  const fixture = newFixture()
  const { act } = fixture
  await done(act.loadLabels([{ labelId: 'water', en: 'Water', fr: 'Eau' }]))
  const set = (topics: unknown) =>
    act.setPreference(amina, read(domain.SetPreference, { email: AMINA, topics }))
  t.same((await done(set('water'))).topics, ['water'])
  t.match(await set('water,arts')(), E.left({ _tag: 'ValidationFailed', errors: [{ field: 'topics' }] }))
  t.same((await done(act.getPreference(amina, { email: AMINA }))).topics, ['water'])
  const rows = ['water', 'arts', 'water arts', ''].map((topics, n) => ({
    ...{ email: `${n}@example.org`, lang: 'en', subscribed: 'true' },
    topics,
  }))
  const users = domain.readUsers(rows)
  const imported = E.isRight(users) ? await act.importUsers(users.right)() : users
  t.match(imported, E.left({ _tag: 'BadRows', rows: [{ row: 1 }, { row: 2 }] }))
  t.equal((await allUsers(fixture)).length, 1, 'nothing has changed')
  t.same(await done(act.loadLabels([])), { labels: 0, people: 1, everything: 1 })
  t.same((await done(act.getPreference(amina, { email: AMINA }))).topics, [])
})

t.test('an unavailable store is reported as such', async (t) => {
  const broken = newFixture({}, ({ users, devices }) => ({
    users: { ...users, prefer: () => async () => E.left(domain.unavailable('down')) },
    devices: { ...devices, attach: () => async () => E.left(domain.unavailable('down')) },
  }))
  t.equal(await failure(attach(broken, amina, 'fcm:one')), 'Unavailable')
  const preference = read(domain.SetPreference, { email: BELA, lang: 'fr' })
  t.equal(await failure(broken.act.setPreference(amina, preference)), 'Unavailable')
})
