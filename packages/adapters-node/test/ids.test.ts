import t from 'tap'
import { uuidIds } from '../src/index.ts'

/** Runs with a fixed `Date.now`. */
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

t.test('C3: identifiers grow in text order when the clock is set back, and when it catches up', async (t) => {
  const ids = uuidIds()
  const start = Date.now() + 60_000
  const clock = [0, 5, 5, -3_600_000, -3_599_999, -86_400_000, 4, 5, 6, 7]
  const made = clock.flatMap((shift) =>
    at(start + shift, () => Array.from({ length: 100 }, () => ids.nextItemId())),
  )
  t.ok(ascending(made))
})

t.test('C3: all generators of a process together return growing identifiers', async (t) => {
  const makers = [uuidIds(), uuidIds()]
  t.ok(ascending(Array.from({ length: 1000 }, (_, n) => makers[n % 2]?.nextItemId() ?? '')))
})

t.test('G3: identifiers of notifications grow like those of items', async (t) => {
  const ids = uuidIds()
  t.ok(ascending(Array.from({ length: 1000 }, () => ids.nextNotificationId())))
})

t.test('C3: no two identifiers share their random bytes', async (t) => {
  const ids = uuidIds()
  const ends = Array.from({ length: 2000 }, () => ids.nextItemId().slice(-11))
  t.equal(new Set(ends).size, ends.length)
})
