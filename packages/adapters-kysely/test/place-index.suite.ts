import { comparePlaces, type Place } from '@almoner/domain'
import * as fc from 'fast-check'
import t from 'tap'
import { makePlaceIndex, type PlaceIndex } from '../src/ranks/place-index.ts'

const SIZE = 4

type Places = ReadonlyArray<Place<number>>

const place = fc
  .record({ key: fc.nat(3), n: fc.nat(9) })
  .map(({ key, n }): Place<number> => ({ key, id: String(n).padStart(2, '0') }))

/** Places that come, or go when they are there. */
const steps = fc.record({
  begin: fc.array(place, { maxLength: 60 }),
  moves: fc.array(place, { maxLength: 120 }),
})

const name = ({ key, id }: Place<number>) => `${key} ${id}`
const modelOf = (places: Places) => new Map(places.map((one) => [name(one), one]))
const ordered = (places: Iterable<Place<number>>) => [...places].sort(comparePlaces)

/** An index of places, in blocks of the usual size, as counting them anew makes it. */
const indexOf = (places: Places, most?: number) => {
  const index = makePlaceIndex<number>(SIZE, most)
  if (places.length === 0) index.append(undefined, 0)
  for (let at = 0; at < places.length; ) {
    const size = index.size()
    index.append(at === 0 ? undefined : places[at], Math.min(size, places.length - at))
    at += size
  }
  return index
}

const splitAll = (index: PlaceIndex<number>, places: Places) => {
  for (let block = index.oversize(); block !== undefined; block = index.oversize()) {
    const bound = places[block.ahead + index.size()]
    if (bound === undefined) throw new Error('a block has more than there is')
    index.split(block, bound, index.size())
  }
}

/** Whether the block of a rank, and the block of the place that has it, are right. */
const isRight = (index: PlaceIndex<number>, places: Places, rank: number): boolean => {
  const { bound, ahead, count } = index.atRank(rank)
  const first = bound === undefined ? 0 : places.findIndex((one) => comparePlaces(one, bound) >= 0)
  const there = places[rank]
  const same = index.lastBlock((one) => there !== undefined && comparePlaces(one, there) <= 0)
  const holds = [same, { ahead, count }].every(
    (block) => block.ahead <= rank && rank < block.ahead + block.count,
  )
  return holds && first === ahead && count <= 2 * index.size()
}

for (const most of [8192, 4])
  t.test(
    `a block says which ranks are in it, whatever comes and goes (at most ${most} blocks)`,
    async (t) => {
      const property = fc.property(steps, ({ begin, moves }) => {
        const model = modelOf(begin)
        const index = indexOf(ordered(model.values()), most)
        return moves.every((one) => {
          const comes = !model.delete(name(one))
          if (comes) model.set(name(one), one)
          index.count(one, comes ? 1 : -1)
          const places = ordered(model.values())
          splitAll(index, places)
          const { number, ahead, count } = index.atRank(places.length + 5)
          const whole = ahead + count === places.length && number < most
          return whole && places.every((_, rank) => isRight(index, places, rank))
        })
      })
      t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
    },
  )

t.test('few places are left in few blocks', async (t) => {
  const places = ordered(Array.from({ length: 90 }, (_, n) => ({ key: n, id: 'a' })))
  const index = indexOf(places)
  for (const one of places.slice(0, 85)) index.count(one, -1)
  const { number, ahead, count } = index.atRank(1000)
  t.ok(number < 6, `${number + 1} blocks`)
  t.equal(ahead + count, 5)
})
