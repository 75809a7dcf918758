import { dayAmong, lastDays } from '@almoner/domain/operations'
import {
  dayOf,
  type Instant,
  instant,
  type LocalDate,
  startOfDay,
  type TimeZone,
  UTC,
} from '@almoner/domain/values'
import t from 'tap'

const at = (text: string): Instant => instant(Date.parse(text))

t.test(
  'B8: a day begins at its first moment in the zone, and a day that the zone skips with the next one',
  async (t) => {
    for (const [day, zone, begins] of [
      ['2026-05-01', 'UTC', '2026-05-01T00:00:00Z'],
      ['2026-05-01', 'Europe/Paris', '2026-04-30T22:00:00Z'],
      ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z'],
      ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00Z'],
      ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ] as const)
      t.equal(startOfDay(day as LocalDate, zone as TimeZone), at(begins), `${day} ${zone}`)
  },
)

t.test('B8: days follow the time zone of the service, also across clock changes', async (t) => {
  const cases = [
    ['UTC', '2026-03-01T12:00:00Z', ['2026-02-27T00:00:00Z', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z']],
    [
      'Europe/Paris',
      '2026-03-30T00:30:00+02:00',
      ['2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    ],
    [
      'America/New_York',
      '2026-11-02T23:59:59-05:00',
      ['2026-10-31T00:00:00-04:00', '2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
    ],
    // Clocks were set forward at midnight, so that day began at one.
    [
      'Asia/Beirut',
      '2021-03-28T12:00:00+03:00',
      ['2021-03-26T00:00:00+02:00', '2021-03-27T00:00:00+02:00', '2021-03-28T01:00:00+03:00'],
    ],
    // A whole day was skipped.
    [
      'Pacific/Apia',
      '2011-12-31T08:00:00+14:00',
      ['2011-12-28T00:00:00-10:00', '2011-12-29T00:00:00-10:00', '2011-12-31T00:00:00+14:00'],
    ],
  ] as const
  for (const [zone, now, begins] of cases)
    t.strictSame(
      lastDays(at(now), zone as TimeZone, 3),
      begins.map((begin) => ({ day: dayOf(at(begin), zone as TimeZone), begins: at(begin) })),
      zone,
    )
})

t.test('a moment belongs to the last day that has begun, and to none before the first', async (t) => {
  const begins = lastDays(at('2026-03-03T00:00:00Z'), UTC, 3).map((day) => day.begins)
  t.strictSame(
    ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00Z', '2026-03-02T23:59:59Z', '2027-01-01T00:00:00Z'].map(
      (moment) => dayAmong(begins, at(moment)),
    ),
    [-1, 0, 1, 2],
  )
})
