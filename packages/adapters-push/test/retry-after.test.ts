import { instant } from '@almoner/domain/values'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { retryAfter } from '../src/retry-after.ts'

const NOW = instant(Date.UTC(1994, 10, 6, 8, 49, 0))

t.test('G5: Retry-After in seconds', async (t) => {
  t.strictSame(retryAfter('120', NOW), O.some(120_000))
  t.strictSame(retryAfter(' 0 ', NOW), O.some(0))
  t.strictSame(retryAfter('9'.repeat(400), NOW), O.some(Number.MAX_SAFE_INTEGER))
})

t.test('G5: Retry-After as a date, in each of the three HTTP formats', async (t) => {
  for (const date of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])
    t.strictSame(retryAfter(date, NOW), O.some(37_000), date)
  t.strictSame(retryAfter('Sun, 06 Nov 1994 08:48:00 GMT', NOW), O.some(0), 'a past date')
})

t.test('G5: other values count as no Retry-After', async (t) => {
  for (const header of [
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2026-01-01',
    'Sun, 99 Nov 1994 08:49:37 GMT',
  ])
    t.strictSame(retryAfter(header, NOW), O.none, String(header))
})

t.test('G5: any future HTTP date is parsed to the second', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
      const date = new Date(seconds * 1000)
      const wait = retryAfter(date.toUTCString(), instant(0))
      t.ok(O.isSome(wait) && wait.value === seconds * 1000, date.toUTCString())
    }),
  )
})

t.test('I9: a date counts from the server’s own clock, wherever ours is', async (t) => {
  const moments = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000)
  fc.assert(
    fc.property(moments, moments, fc.integer({ min: -1000, max: 100_000 }), (ours, theirs, seconds) => {
      const [date, until] = [theirs, theirs + seconds * 1000].map((at) => new Date(at).toUTCString())
      const wait = retryAfter(until, instant(ours), date)
      return O.isSome(wait) && wait.value === Math.max(0, seconds * 1000)
    }),
  )
  const until = 'Sun, 06 Nov 1994 08:49:37 GMT'
  for (const none of [undefined, '', 'today']) t.strictSame(retryAfter(until, NOW, none), O.some(37_000))
  t.strictSame(retryAfter('7', NOW, 'Sun, 06 Nov 2094 08:49:37 GMT'), O.some(7000))
})
