import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { faultsIn, fieldsOf, read, takenOf } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { AMINA, amina, callerWith, donor, userManager } from './fixtures/fixture.ts'

const { DeviceToken, BooleanParameter } = domain

t.test('F2: subscribed is true, false, 1 or 0, in any case', async (t) => {
  for (const yes of ['true', 'TRUE', 'True', 'tRuE', '1']) t.equal(read(BooleanParameter, yes), true)
  for (const no of ['false', 'FALSE', 'False', '0']) t.equal(read(BooleanParameter, no), false)
  const bad = [
    '',
    'yes',
    'no',
    'on',
    '2',
    '-1',
    '01',
    '1.0',
    'true ',
    ' true',
    'null',
    'constructor',
    '__proto__',
    'toString',
  ]
  t.same(takenOf(BooleanParameter, bad), [])
  t.same(
    read(domain.SetPreference, { email: 'x', subscribed: false }).subscribed,
    false,
    'B1: JSON booleans too',
  )
  t.same(read(domain.SetPreference, { email: 'x', subscribed: 1, lang: 'FR' }), {
    email: 'x',
    subscribed: true,
    lang: 'fr',
  })
})

t.test('F2: both parts of a preference are optional', async (t) => {
  t.same(read(domain.SetPreference, { email: 'x' }), { email: 'x' })
  t.same(read(domain.SetPreference, { email: 'x', lang: '', subscribed: null }), { email: 'x' })
  t.same(
    faultsIn(domain.SetPreference, { email: 'x', lang: 'de', subscribed: 'maybe' })
      .map(({ field }) => field)
      .sort(),
    ['lang', 'subscribed'],
  )
})

t.test('F4: a device token has up to 4,096 characters, counted in code points', async (t) => {
  const good = ['a', '😀'.repeat(4096), 'é', ' ', '...', './', '..a', 'a/b', '%2e', '\n', '{"a":1}']
  t.same(takenOf(DeviceToken, good), good)
  t.same(takenOf(DeviceToken, ['😀'.repeat(4097), 'a'.repeat(4097)]), [])
  t.equal(
    faultsIn(domain.AttachDevice, { email: 'x', device_token: 'a'.repeat(4097) })[0]?.message.includes(
      '4096',
    ),
    true,
  )
})

t.test('F4: a token that does not fit into a path is rejected', async (t) => {
  t.same(takenOf(DeviceToken, ['.', '..', 'a\0', '\ud83d', '\ude00x']), [])
  t.same(faultsIn(domain.AttachDevice, { email: 'x', device_token: '' }), [
    { field: 'device_token', message: 'is required' },
  ])
})

const character = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point))

t.test('F4, F5: a token is stored exactly as sent', async (t) => {
  for (const token of ['e\u0301', '\u00e9', ' padded ', 'FCM:x', '\u200b'])
    t.equal(read(domain.AttachDevice, { email: 'x', device_token: token }).device_token, token)
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (token) => {
      const decoded = DeviceToken.decode(token)
      return E.isRight(decoded) ? decoded.right === token : /[\0\p{Cs}]/u.test(token) || /^\.\.?$/.test(token)
    }),
  )
})

t.test('F3: without user-manager the email in the path is ignored, even if malformed', async (t) => {
  for (const inPath of ['bela@example.org', 'nonsense', '', '\0', 'AMINA@example.org'])
    t.same(domain.actingUser(amina, inPath), E.right(AMINA))
})

t.test('F3: a token without a bound user gives no user', async (t) => {
  t.same(domain.actingUser(donor, 'bela@example.org'), E.left({ _tag: 'NoActingUser' }))
  t.same(
    domain.actingUser(donor, 'nonsense'),
    E.left({ _tag: 'NoActingUser' }),
    'an ignored path is not validated',
  )
})

t.test(
  'F2, F3: with user-manager the email in the path is used, in lower case; a malformed one is an error',
  async (t) => {
    t.same(domain.actingUser(userManager, 'Bela@Example.ORG'), E.right('bela@example.org'))
    const bound = callerWith(['user-donor'], ['user-manager'], AMINA)
    t.same(
      domain.actingUser(bound, 'bela@example.org'),
      E.right('bela@example.org'),
      'even if the client is bound to a user',
    )
    for (const inPath of ['', 'nonsense', 'a@b@c', 'a b@c', '@', 'a@', '\0@b', `${'a'.repeat(250)}@b.org`])
      t.match(
        domain.actingUser(userManager, inPath),
        E.left({ _tag: 'ValidationFailed', errors: [{ field: 'email' }] }),
      )
  },
)

const row = (email: string, over: domain.RawParameters = {}) => ({
  email,
  lang: 'fr',
  subscribed: 'false',
  ...over,
})

t.test('F2, F6: the columns of a users file are email, lang, subscribed and perhaps topics', async (t) => {
  t.same(domain.REQUIRED_USER_COLUMNS, ['email', 'lang', 'subscribed'])
  t.same(domain.USER_COLUMNS, ['email', 'lang', 'subscribed', 'topics'])
  t.same(
    domain.readUsers([
      row('Amina@Example.org', { name: 'ignored' }),
      row('b@example.org', { lang: 'EN', subscribed: '1' }),
    ]),
    E.right([
      { email: AMINA, lang: 'fr', subscribed: false },
      { email: 'b@example.org', lang: 'en', subscribed: true },
    ]),
  )
  t.same(domain.readUsers([]), E.right([]))
})

t.test('each bad row of a users file is named, with all its bad fields', async (t) => {
  const rows = [
    row('a@example.org'),
    row('nonsense', { lang: 'de' }),
    row('b@example.org'),
    row('c@example.org', { subscribed: 'maybe' }),
    {},
    row('A@EXAMPLE.ORG'),
    row('nonsense'),
    row('a@example.org', { lang: ['fr', 'en'] }),
  ]
  const result = domain.readUsers(rows)
  t.match(result, E.left({ _tag: 'BadRows' }))
  const named = E.isLeft(result) ? result.left.rows : []
  t.same(
    named.map(({ row, errors: faults }) => [row, [...fieldsOf(faults)].sort()]),
    [
      [1, ['email', 'lang']],
      [3, ['subscribed']],
      [4, ['email', 'lang', 'subscribed']],
      [5, ['email']],
      [6, ['email']],
      [7, ['email', 'lang']],
    ],
  )
  t.notMatch(JSON.stringify(named), /nonsense|example/, 'no value is repeated')
})

t.test('F1: each repetition of an email is named, in any case', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a@x.org', 'A@X.org', 'b@x.org', 'B@x.ORG', 'c@x.org')),
      (emails) => {
        const result = domain.readUsers(emails.map((email) => row(email)))
        const lower = emails.map((email) => email.toLowerCase())
        const repeated = lower.flatMap((email, n) => (lower.indexOf(email) < n ? [n] : []))
        t.same(E.isLeft(result) ? result.left.rows.map(({ row }) => row) : [], repeated)
      },
    ),
    { numRuns: 50 },
  )
})

t.test('F2: a repeated email is named, even if the earlier row is invalid', async (t) => {
  const good = { email: 'zz@b.c', lang: 'en', subscribed: 'true' }
  const result = domain.readUsers([{ ...good, lang: 'xx' }, good])
  t.match(
    result,
    E.left({
      rows: [
        { row: 0, errors: [{ field: 'lang' }] },
        { row: 1, errors: [{ field: 'email' }] },
      ],
    }),
  )
})

t.test('F6: topics are a list, or a text with commas; repeats count once', async (t) => {
  const topics = (value: unknown) => read(domain.SetPreference, { email: 'x', topics: value }).topics
  t.same(topics(['water', 'health', 'water']), ['water', 'health'])
  t.same(topics('water,health,water'), ['water', 'health'])
  t.same(topics([2030]), ['2030'], 'a number as its text (B1)')
  t.same(topics(['a,b', 'a b']), ['a,b', 'a b'], 'an array may hold any identifier')
  t.same([topics(''), topics([])], [[], []], 'everything')
  t.same([topics(null), topics(undefined)], [undefined, undefined], 'left out')
  const many = Array.from({ length: 1000 }, (_, n) => `topic-${n}`)
  t.same(topics([...many, ...many]), many, 'a thousand')
  for (const bad of [[...many, 'one more'], [['water']], [null], ['a\u0000'], {}, domain.REPEATED])
    t.same(
      faultsIn(domain.SetPreference, { email: 'x', topics: bad }).map(({ field }) => field),
      ['topics'],
    )
})

t.test('F6: the column of topics is separated by spaces; without it topics stay', async (t) => {
  const topicsOf = (cell?: string) => {
    const users = domain.readUsers([row(AMINA, cell === undefined ? {} : { topics: cell })])
    return E.isRight(users) ? users.right[0]?.topics : users.left.rows
  }
  t.same(topicsOf('water  health\u00a0water '), ['water', 'health'])
  t.same([topicsOf(''), topicsOf('  ')], [[], []], 'everything')
  t.equal(topicsOf(), undefined)
})

t.test('F6, K1: the record of a preference has topics that changed', async (t) => {
  const user = (topics: ReadonlyArray<string>) =>
    domain.withPreference(domain.newUser(AMINA as domain.Email), {
      topics: topics as ReadonlyArray<domain.LabelId>,
    })
  t.same(
    domain.preferenceChanges(undefined, user([])).map(({ field }) => field),
    ['lang', 'subscribed'],
  )
  t.same(domain.preferenceChanges(user([]), user(['a,b', 'c'])), [
    { field: 'topics', before: '', after: '["a,b","c"]' },
  ])
  t.same(domain.preferenceChanges(user(['c']), user([])), [{ field: 'topics', before: '["c"]', after: '' }])
})
