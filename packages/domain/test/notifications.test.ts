import {
  sampleId,
  sampleLibraryItem,
  sampleNotification,
  sampleNotificationId,
} from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { badFields, read, takenOf } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { BASE_URL } from './fixtures/fixture.ts'

const { CreateNotification, DueDate, MessageText } = domain
const LAST = 253_402_300_799
const GOOD = { lang: 'en', title: 'Wells', resource_type: 'Library' }
const instantOf = (iso: string) => Date.parse(iso)

t.test('G2: date is UNIX seconds, as string or number', async (t) => {
  t.equal(read(DueDate, '1700000000'), 1_700_000_000_000)
  t.equal(read(CreateNotification, { ...GOOD, date: 1_700_000_000 }).date, 1_700_000_000_000)
  t.equal(read(CreateNotification, { ...GOOD, date: '1700000000' }).date, 1_700_000_000_000)
  fc.assert(
    fc.property(
      fc.nat(LAST),
      fc.nat(30),
      (n, zeros) => read(DueDate, `${'0'.repeat(zeros)}${n}`) === n * 1000,
    ),
  )
})

t.test('G2: dates range from 1970 to the end of the year 9999', async (t) => {
  t.equal(read(DueDate, '0'), 0)
  t.equal(read(DueDate, String(LAST)), instantOf('9999-12-31T23:59:59Z'))
  t.equal(read(CreateNotification, { ...GOOD, date: 0 }).date, 0, 'zero is a date, not an omitted one')
})

t.test('G2: milliseconds, negative and fractional dates are rejected', async (t) => {
  const milliseconds = [String(LAST + 1), '1700000000000', '99999999999999999999', '9'.repeat(400)]
  const bad = [
    ...milliseconds,
    '-1',
    '-0',
    '+1',
    '1.0',
    '1.5',
    '1e9',
    '0x10',
    ' 1',
    '1 ',
    '٣',
    'now',
    '2026-01-01',
    'Infinity',
  ]
  t.same(takenOf(DueDate, bad), [])
  for (const date of [1_700_000_000_000, -1, 1.5, 1e21, true, Number.NaN, Number.POSITIVE_INFINITY, [1], {}])
    t.same(badFields(CreateNotification, { ...GOOD, date }), ['date'], String(date))
})

t.test('an omitted or empty date means no date', async (t) => {
  for (const date of [undefined, null, ''])
    t.equal(read(CreateNotification, { ...GOOD, date }).date, undefined)
})

t.test('G1: date is returned as YYYY-MM-DD HH:MM:SS, in UTC', async (t) => {
  for (const [iso, shown] of [
    ['1970-01-01T00:00:00Z', '1970-01-01 00:00:00'],
    ['2026-03-29T02:30:00+02:00', '2026-03-29 00:30:00'],
    ['9999-12-31T23:59:59Z', '9999-12-31 23:59:59'],
  ] as const)
    t.equal(domain.toDateTime(domain.instant(instantOf(iso))), shown)
  fc.assert(
    fc.property(fc.nat(LAST), (n) => {
      const shown = domain.toDateTime(domain.instant(n * 1000))
      return (
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(shown) &&
        instantOf(`${shown.replace(' ', 'T')}Z`) === n * 1000
      )
    }),
  )
})

t.test('lang, title and resource_type are required; every bad field is named at once', async (t) => {
  t.same(badFields(CreateNotification, {}), ['lang', 'resource_type', 'title'])
  t.same(
    badFields(CreateNotification, {
      lang: 'de',
      title: '\0',
      subtitle: '\ud83d',
      description: '\0',
      date: -1,
      resource_type: 'Feed',
      resource_id: '\0',
    }),
    ['date', 'description', 'lang', 'resource_id', 'resource_type', 'subtitle', 'title'],
  )
})

t.test('G2: resource_type must be exactly Library (B6)', async (t) => {
  for (const resource_type of ['library', 'LIBRARY', 'Library ', 'Feed', ''])
    t.same(badFields(CreateNotification, { ...GOOD, resource_type }), ['resource_type'])
})

t.test(
  'B2, B6: texts are normalised to NFC; a blank title is empty, other blank texts are absent',
  async (t) => {
    t.equal(read(MessageText, 'e\u0301'), 'é')
    t.same(takenOf(MessageText, ['', ' ', '\u200b\n', '\u3000']), [])
    const { title, subtitle, description } = read(CreateNotification, {
      ...GOOD,
      title: ' padded ',
      subtitle: ' \t',
      description: 'e\u0301',
    })
    t.same([title, subtitle, description], [' padded ', undefined, 'é'])
    t.equal(read(MessageText, 'x'.repeat(100_000)).length, 100_000, 'the payload limits its length')
  },
)

t.test('G2: a past date is due at once, a notification without a date never', async (t) => {
  const now = domain.instant(1_000_000)
  const due = (date: number) => domain.isDue({ date: O.some(domain.instant(date)) }, now)
  t.same([due(0), due(999_999), due(1_000_000), due(1_000_001)], [true, true, true, false])
  t.equal(domain.isDue({ date: O.none }, domain.instant(Number.MAX_SAFE_INTEGER)), false)
})

const addresses = domain.mediaAddressesBelow(BASE_URL)
const image = (ref: domain.ImageRef) => O.some(ref) as O.Some<domain.ImageRef>

const live = (ref: domain.ImageRef): domain.LiveLibraryItem => ({
  ...sampleLibraryItem(1),
  status: 'Live',
  images: {
    cover: image(domain.linked('https://example.org/cover.png' as domain.WebUrl)),
    notification: image(ref),
  },
})

t.test('G1: visualUrl is the item’s notification image, actionUrl its link', async (t) => {
  const elsewhere = 'https://example.org/n.png' as domain.WebUrl
  t.same(domain.linksFrom(addresses)(live(domain.linked(elsewhere))), {
    visualUrl: O.some(elsewhere),
    actionUrl: O.some(sampleLibraryItem(1).link),
  })
  const stored = domain.stored('0123456789abcdef.png' as domain.MediaName)
  t.same(
    domain.linksFrom(addresses)(live(stored)).visualUrl,
    O.some(`${BASE_URL}/static/media/0123456789abcdef.png`),
  )
})

t.test('G1: an item that is not Live gives no links', async (t) => {
  const { images } = live(domain.linked('https://example.org/n.png' as domain.WebUrl))
  for (const status of ['Draft', 'Archived'] as const)
    t.same(domain.linksFrom(addresses)({ ...sampleLibraryItem(1), status, images }), domain.NO_LINKS)
})

t.test('G6: a message has title, subtitle, body and data, all text, empty where absent', async (t) => {
  const look: domain.Look = {
    iconUrl: O.some('https://example.org/icon.png' as domain.WebUrl),
    color: read(domain.Colour, '#abcDEF'),
  }
  const links = { visualUrl: O.some('https://example.org/v.png' as domain.WebUrl), actionUrl: O.none }
  const full = sampleNotification(1, {
    lang: 'fr',
    subtitle: O.some(read(MessageText, 'Sous-titre')),
    resourceId: O.some(sampleId(7)),
  })
  t.same(domain.messageOf(full, links, look), {
    title: full.title,
    subtitle: 'Sous-titre',
    body: 'It has "quotes", a\nline break and 日本語',
    data: {
      notificationId: sampleNotificationId(1),
      lang: 'fr',
      resourceType: 'Library',
      resourceId: sampleId(7),
      actionUrl: '',
      visualUrl: 'https://example.org/v.png',
      iconUrl: 'https://example.org/icon.png',
      color: '#abcDEF',
    },
  })
  const bare = domain.messageOf(
    sampleNotification(2, { description: O.none }),
    domain.NO_LINKS,
    domain.DEFAULT_POLICY.look,
  )
  t.match(bare, {
    subtitle: '',
    body: '',
    data: { resourceId: '', actionUrl: '', visualUrl: '', iconUrl: '', color: '#1F4E79' },
  })
})

const ids = fc.nat(50).map(sampleNotificationId)
const dates = fc.option(fc.nat(5), { nil: undefined })
const dated = fc.record({ id: ids, seconds: dates }).map(({ id, seconds }) => ({
  id,
  date: O.fromNullable(seconds === undefined ? undefined : domain.instant(seconds * 1000)),
}))

t.test('G3: notifications are ordered by date, latest first, undated last, then newest first', async (t) => {
  fc.assert(
    fc.property(fc.array(dated), (all) => {
      const ordered = all.map(domain.notificationCursor).sort(domain.compareCursors)
      return ordered.every(({ key, id }, n) => {
        const before = ordered[n - 1]
        return before === undefined || before.key > key || (before.key === key && before.id >= id)
      })
    }),
  )
  t.equal(domain.notificationCursor({ id: sampleNotificationId(1), date: O.none }).key, domain.UNDATED)
  t.ok(domain.UNDATED < 0, 'before 1970')
})

t.test('C11: a cursor survives encoding and decoding, also of an undated notification', async (t) => {
  fc.assert(
    fc.property(dated, (one) => {
      const place = domain.notificationCursor(one)
      t.same(read(domain.NotificationCursor, domain.encodeCursor(place)), place)
    }),
    { numRuns: 50 },
  )
  t.same(
    takenOf(domain.NotificationCursor, ['-2~x', 'x~x', '~x', '1', '-1', '1.5~x', '1234567890123456~x']),
    [],
  )
})

t.test('an unused id is unknown', async (t) => {
  t.same(E.isRight(domain.OneNotification.decode({ id: 'no such thing' })), true)
  t.same(badFields(domain.OneNotification, { id: '\0' }), ['id'])
})
