// B1, B7, I1, I3: how a codec describes itself in the schema and in errors.

import type { Decoder } from 'io-ts'
import t from 'tap'
import { faultsIn, takenOf } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'

/** A codec of any type. */
interface AnyCodec extends Decoder<unknown, unknown> {
  readonly facets: domain.Refined<unknown>['facets']
}

const isCodec = (value: unknown): value is AnyCodec => value instanceof domain.Refined

/** All codecs of the domain: exported ones, parameters of operations and columns of tables. */
const CODECS: ReadonlyArray<AnyCodec> = [
  ...new Set(
    [...Object.values(domain), ...Object.values(domain.ROWS)].flatMap(
      (exported: unknown): ReadonlyArray<unknown> => {
        if (!(exported instanceof domain.Parameters)) return [exported]
        const { required, optional } = exported.shape
        return [...Object.values(required), ...Object.values(optional)]
      },
    ),
  ),
].filter(isCodec)

/** Codecs of lists, which are texts with commas in forms. */
const LISTS = ['Topics']

const INTEGERS = [
  'Amount',
  'ChallengeId',
  'Hours',
  'KeepOld',
  'Lim',
  'Offset',
  'PersonNumber',
  'PublicationLim',
  'RevisionNumber',
  'TestDevice',
  'Year',
]

/** The type that a codec states. */
const typeOf = (name: string): string => {
  if (LISTS.includes(name)) return 'array'
  return INTEGERS.includes(name) ? 'integer' : 'string'
}

t.test('I3: every codec has a name, a type and a description, and accepts its own example', async (t) => {
  t.ok(CODECS.length > 40)
  for (const { name, facets } of CODECS) {
    t.match(name, /^[A-Z][A-Za-z]+$/)
    t.equal(facets.type, typeOf(name), name)
    t.match(facets.description, /^[A-Z`].*\.$/s, name)
    t.not(facets.example, '', name)
    if (facets.pattern !== undefined) t.match(facets.pattern, /^\^.+\$$/, name)
  }
  for (const [name, exported] of Object.entries(domain))
    if (exported instanceof domain.Refined || exported instanceof domain.Parameters)
      t.equal(exported.name, name, 'the name of its export')
  for (const codec of CODECS) {
    const { example, enum: names = [] } = codec.facets
    const good = [...names, ...(example === undefined ? [] : [example])].map(String)
    t.same(takenOf(codec, good), good, codec.name)
  }
})

t.test('B4, I3: numbers are accepted from their minimum to their maximum only', async (t) => {
  for (const codec of CODECS.filter(({ name }) => INTEGERS.includes(name))) {
    const { minimum = Number.NaN, maximum = Number.NaN } = codec.facets
    const good = [minimum, maximum].map(String)
    t.same(takenOf(codec, [...good, String(minimum - 1), String(BigInt(maximum) + 1n)]), good, codec.name)
  }
})

t.test('B6, I3: text is accepted up to its maximum length only', async (t) => {
  const plain = [
    'ItemTitle',
    'ItemDescription',
    'LabelName',
    'PortfolioName',
    'PortfolioText',
    'Age',
    'DeviceToken',
    'NameWords',
  ]
  const found = CODECS.filter(({ name }) => plain.includes(name))
  t.same([...new Set(found.map(({ name }) => name))].sort(), [...plain].sort())
  for (const codec of found) {
    const most = codec.facets.maxLength ?? 0
    t.same(takenOf(codec, ['x'.repeat(most), 'x'.repeat(most + 1)]), ['x'.repeat(most)], codec.name)
    t.match(faultsIn(codec, 'x'.repeat(most + 1)), [{ message: `must have at most ${most} characters` }])
    t.equal(codec.facets.minLength, codec.name === 'NameWords' ? undefined : 1, codec.name)
  }
})

t.test('I3: a codec with a named format states it', async (t) => {
  const named = CODECS.filter(({ facets }) => facets.format !== undefined)
  const forms = named.map(({ name, facets }) => [name, facets.format])
  t.same(Object.fromEntries(forms), {
    LocalDate: 'date',
    PublicationDate: 'date',
    Email: 'email',
    WebUrl: 'uri',
  })
})

t.test('B1: a number that JSON cannot represent exactly must be sent as text', async (t) => {
  const told = (lim: unknown) => faultsIn(domain.ListLibraryItems, { lim })
  const most = Number.MAX_SAFE_INTEGER
  t.match(told(most + 1), [{ field: 'lim', message: 'must be given as text: the number is too large' }])
  t.match(told(-most - 1), [{ message: 'must be given as text: the number is too large' }])
  t.match(told(most), [{ message: 'must be a whole number from 1 to 2147483647' }])
})

t.test('G5: dead devices are stored for a week', async (t) => {
  const now = domain.instant(Date.UTC(2026, 4, 8))
  t.equal(domain.oldestRetained(now), Date.UTC(2026, 4, 1))
})

t.test('F5: an allow-list entry has a valid port; an endpoint has no user name', async (t) => {
  for (const port of ['1', '443', '65535']) t.ok(domain.isPushHost(`push.example.org:${port}`), port)
  for (const port of ['0', '65536', '99999', '']) t.notOk(domain.isPushHost(`push.example.org:${port}`), port)
  const may = domain.mayPushTo(['push.example.org' as domain.PushHost])
  t.ok(may('https://push.example.org/a'))
  for (const who of ['a@', ':b@', 'a:b@']) t.notOk(may(`https://${who}push.example.org/a`), who)
})

t.test('D1: feed images have one exact size, library images at most 4096 pixels on a side', async (t) => {
  const { fits, FEED_IMAGE, LIBRARY_IMAGE } = domain
  t.ok(fits(FEED_IMAGE, 400, 560))
  for (const [width, height] of [
    [560, 400],
    [401, 560],
    [400, 559],
  ] as const)
    t.notOk(fits(FEED_IMAGE, width, height), `${width} by ${height}`)
  t.ok(fits(LIBRARY_IMAGE, 4096, 4096))
  t.notOk(fits(LIBRARY_IMAGE, 4097, 1))
  t.notOk(fits(LIBRARY_IMAGE, 1, 4097))
})

t.test('C2: timestamps are written in RFC 3339, in UTC', async (t) => {
  t.match(domain.toRfc3339(domain.instant(Date.UTC(2026, 4, 1, 12))), /^2026-05-01T12:00:00(?:\.000)?Z$/)
})

const NOT_STORABLE = 'must not contain U+0000 or lone surrogates'
const NOT_URL = 'must be an absolute http or https URL'
const CREDENTIALS = 'must not hold a user name or password'
const BAD_PLACE = 'must come from the Link header of an earlier answer'
const ID = 'must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;'

/** Codecs with inputs that they reject, and the error texts. */
const REFUSED: ReadonlyArray<readonly [AnyCodec, string, ReadonlyArray<string>]> = [
  [
    domain.LocalDate,
    'must be a calendar day of the form YYYY-MM-DD',
    ['2023-02-30', '2026-5-1', 'x2026-05-01', '2026-05-01x', '0000-13-01'],
  ],
  [domain.WebUrl, NOT_URL, ['x', '/a', 'ftp://a.org', 'javascript:1', 'https:', ' ', 'x-https://a.org']],
  [domain.WebUrl, CREDENTIALS, ['https://a@b.org', 'https://a:b@c.org', 'https://:b@c.org']],
  [domain.WebUrl, NOT_STORABLE, ['https://a.org/\u0000']],
  [domain.WebUrl, 'must have at most 2048 characters', [`https://a.org/${'x'.repeat(2035)}`]],
  [domain.ClearableImageUrl, NOT_URL, ['x', ' ']],
  [domain.ClearableImageUrl, CREDENTIALS, ['https://a@b.org']],
  [
    domain.ClientId,
    'must be 1 to 100 letters, digits, dots, dashes or underscores',
    ['', 'a b', 'x'.repeat(101), 'a!', '!a', 'é'],
  ],
  [
    domain.Colour,
    'must be a colour of the form #RRGGBB',
    ['', '#12345', '#1234567', '123456', '#12345g', 'a#123456'],
  ],
  [domain.Currency, 'must be three capital letters', ['', 'EU', 'EURO', 'eur', '1EU', 'xEUR']],
  [domain.DeviceToken, 'must not be . or ..', ['.', '..']],
  [domain.DeviceToken, NOT_STORABLE, ['a\u0000', '\ud800']],
  [
    domain.DueDate,
    'must be a UNIX timestamp in whole seconds, from 0 to 253402300799',
    ['-1', '1.5', '253402300800', '1e3', 'x', ' 1', '1x'],
  ],
  [
    domain.Email,
    'must be an email address',
    ['x', '@', 'a@', '@a', 'a b@c.org', 'a@b@c.org', `${'x'.repeat(250)}@c.org`],
  ],
  [domain.Email, NOT_STORABLE, ['a\u0000@b.org']],
  [
    domain.FileName,
    'must be the name of a file, without a folder',
    [
      '',
      'a/b',
      'a\\b',
      '.',
      '..',
      '.hidden',
      '/a',
      '\\a',
      '\na',
      'a\n',
      'a\u0000',
      'a\ud800',
      'x'.repeat(201),
    ],
  ],
  [domain.Language, 'must be en or fr', ['', 'de', 'eng', 'e', ' en']],
  [
    domain.Lim,
    'must be a whole number from 1 to 2147483647',
    ['0', '-1', '+1', '1.0', 'x', '', '2147483648'],
  ],
  [domain.Offset, 'must be a whole number from 0 to 2147483647', ['-1', 'x']],
  [domain.Year, 'must be a whole number from 1 to 9999', ['0', '10000']],
  [domain.NewOrganizationId, ID, ['', 'a b', 'a/b', 'a\\b', 'a?', 'a#', 'a%', 'a;', 'x'.repeat(101)]],
  [domain.NewSectorId, ID, ['', 'a b']],
  ...domain.RESERVED_IDS.map(
    (id) => [domain.NewOrganizationId, `must not be ${id}, which is part of a path`, [id]] as const,
  ),
  [domain.Status, 'must be one of Draft, Live, Archived', ['', 'live', 'Draft ']],
  [domain.FeedKind, 'must be one of photo, link, vlink', ['', 'Photo']],
  [domain.LibraryImageName, 'must be one of cover, notification', ['', 'Cover']],
  [domain.ResourceType, 'must be one of Library', ['', 'library', 'Feed']],
  [domain.TimeZone, 'must be an IANA time zone such as Europe/Paris', ['', 'x', 'Europe/Nowhere']],
  [domain.BooleanParameter, 'must be true or false', ['', 'yes', '2', 'truth', 'untrue']],
  [domain.ItemId, NOT_STORABLE, ['\u0000', '\udfff']],
  [domain.MessageText, 'is required', ['', ' ', '\t\n', '\u00a0']],
  [domain.ItemTitle, 'is required', [' ', '\t\n', '\u00a0']],
  [domain.LibraryCursor, BAD_PLACE, ['', 'x', '2026-05-01', '2026-05-01~', '~a', 'x~a', '2026-13-01~a']],
  [domain.FeedCursor, BAD_PLACE, ['', 'x', '1', '1~', '~a', 'x~a', '-1~a']],
  [domain.NotificationCursor, BAD_PLACE, ['', 'x', '~a']],
  [domain.OrganizationCursor, BAD_PLACE, ['\u0000', '\ud800']],
  [domain.TextCursor, BAD_PLACE, ['', 'x', 'en~x1', 'en~1x', `en~${'1'.repeat(16)}`]],
  [domain.ChallengeCursor, BAD_PLACE, ['', 'x', 'x1~en', '1x~en', `${'1'.repeat(16)}~en`]],
  [domain.ChallengeId, 'must be a whole number from 0 to 9007199254740991', ['-1', '1.5', 'x']],
  [domain.SectorId, NOT_STORABLE, ['\u0000', '\udfff']],
  [domain.OrganizationId, NOT_STORABLE, ['\u0000', '\udfff']],
  [domain.NameWords, NOT_STORABLE, ['\u0000', '\udfff']],
  [domain.NameWords, 'must have at most 200 characters', ['😀'.repeat(201)]],
]

t.test('B1 to B8, I1: errors are described in words', async (t) => {
  for (const [codec, message, inputs] of REFUSED)
    for (const input of inputs)
      t.same(
        faultsIn(codec, input).map((fault) => fault.message),
        [message],
        `${codec.name}: ${input.slice(0, 40)}`,
      )
})

t.test('I1: every codec describes missing values and values that are not text in words', async (t) => {
  for (const codec of CODECS) {
    t.match(faultsIn(codec, undefined), [{ message: 'is required' }], codec.name)
    const isList = LISTS.includes(codec.name)
    for (const input of [7, null, {}, ...(isList ? [] : [[]])])
      t.match(faultsIn(codec, input), [{ message: `must be ${isList ? 'a list' : 'text'}` }], codec.name)
  }
})

t.test('I1: an upload without an image names the missing part (D1)', async (t) => {
  t.equal(domain.UPLOAD_FIELD, 'itemUploadMedia')
  t.same(domain.NO_IMAGE, {
    _tag: 'ValidationFailed',
    errors: [{ field: 'itemUploadMedia', message: 'is required' }],
  })
})

const UPLOAD = 'an_image-of-some-size.png'
const LOGO = 'acme.0123456789abcdef.svg'

t.test(
  'D2, H1: an image has a kind and a name, a path of its own, and the type of its file extension',
  async (t) => {
    t.same(domain.imageFileOf('upload', UPLOAD), { kind: 'upload', name: UPLOAD })
    for (const kind of ['logo', 'visual']) t.same(domain.imageFileOf(kind, LOGO), { kind, name: LOGO })
    for (const [kind, name] of [
      ['upload', LOGO],
      ['logo', UPLOAD],
      ['other', LOGO],
      ['', UPLOAD],
      ['upload', `../${UPLOAD}`],
      ['upload', `${UPLOAD}.exe`],
      ['upload', 'short.png'],
      ['upload', `${'x'.repeat(65)}.png`],
      ['logo', `x/${LOGO}`],
      ['logo', `${LOGO}x`],
    ] as const)
      t.equal(domain.imageFileOf(kind, name), undefined, `${kind} ${name}`)
    const files = [
      domain.imageFileOf('upload', UPLOAD),
      domain.imageFileOf('upload', UPLOAD.replace('png', 'jpg')),
      domain.imageFileOf('logo', LOGO),
    ].filter((one) => one !== undefined)
    t.same(
      files.map((one) => [domain.imageFilePath(one), domain.imageFileType(one)]),
      [
        [UPLOAD, 'image/png'],
        ['an_image-of-some-size.jpg', 'image/jpeg'],
        [`portfolio/logo/${LOGO}`, 'image/svg+xml'],
      ],
    )
  },
)
