import * as fc from 'fast-check'
import t from 'tap'
import { following } from '../src/id-sequence.ts'
import { uuidIds } from '../src/index.ts'

/** Runs with `Date.now` standing where it is told to. */
const at = <A>(now: number, work: () => A): A => {
  const real = Date.now
  Date.now = () => now
  try {
    return work()
  } finally {
    Date.now = real
  }
}

const ascending = (texts: ReadonlyArray<string>): boolean =>
  texts.every((text, n) => n === 0 || text > (texts[n - 1] ?? text))

t.test(
  'C3: identifiers grow in text order when the clock is set back, and when it catches up again',
  async (t) => {
    const ids = uuidIds()
    const start = Date.now() + 60_000
    const clock = [0, 5, 5, -3_600_000, -3_599_999, -86_400_000, 4, 5, 6, 7]
    const made = clock.flatMap((shift) =>
      at(start + shift, () => Array.from({ length: 100 }, () => ids.nextItemId())),
    )
    t.ok(ascending(made))
  },
)

t.test('C3: all makers of a process together give growing identifiers', async (t) => {
  const makers = [uuidIds(), uuidIds()]
  t.ok(ascending(Array.from({ length: 1000 }, (_, n) => makers[n % 2]?.nextItemId() ?? '')))
})

t.test('G3: identifiers of notifications grow as those of items do', async (t) => {
  const ids = uuidIds()
  t.ok(ascending(Array.from({ length: 1000 }, () => ids.nextNotificationId())))
})

t.test(
  'C3: every place comes behind the one before, also where the numbers of a millisecond end',
  async (t) => {
    const number = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1))
    const moment = fc.nat(5)
    fc.assert(
      fc.property(fc.record({ msecs: moment, seq: number }), moment, number, (place, now, start) => {
        const next = following(place, now, start)
        return next.msecs > place.msecs || (next.msecs === place.msecs && next.seq > place.seq)
      }),
    )
    t.strictSame(following({ msecs: 5, seq: 2 ** 32 - 1 }, 4, 7), { msecs: 6, seq: 0 })
    t.strictSame(following({ msecs: 5, seq: 7 }, 6, 3), { msecs: 6, seq: 3 })
  },
)

t.test('no two identifiers share their bytes of chance', async (t) => {
  const ids = uuidIds()
  const ends = Array.from({ length: 2000 }, () => ids.nextItemId().slice(-11))
  t.equal(new Set(ends).size, ends.length)
})
