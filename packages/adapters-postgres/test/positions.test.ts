import fc from 'fast-check'
import t from 'tap'
import { makePositions } from '../src/positions.ts'
import { positionOf } from '../src/signals.ts'

// I8: positions of the log decide which standbys may answer.

/** A question to a primary, and what answers it. */
const question = () => {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, unknown>>>()
  return {
    ask: async () => ({ rows: [await promise], rowCount: 1, command: '', oid: 0, fields: [] }),
    answer: (low: number, epoch: string, timeline = '00000001') =>
      resolve({ position: `0/${low}`, epoch, timeline, is_present: true }),
  }
}

t.test(
  'I8: standbys have the second for which a look at the primary counts to replay later ones',
  async (t) => {
    const positions = makePositions(1000)
    const look = async (position: number) => {
      const one = question()
      one.answer(position, 'one')
      await positions.look(one)
      return positions.needed()
    }
    t.equal(await look(4), 4n)
    t.equal(await look(6), 4n)
    positions.note(5n)
    t.equal(positions.needed(), 5n)
    positions.lose()
    t.equal(positions.needed(), undefined)
    t.equal(await look(8), 8n)
  },
)

t.test('I8: what is noted while another primary is noticed is not forgotten', async (t) => {
  for (const order of ['before', 'after'] as const) {
    const positions = makePositions(1000)
    const [first, second, third, note] = [question(), question(), question(), question()]
    first.answer(9, 'old')
    await positions.look(first)
    t.equal(positions.needed(), 9n)
    const [looking, noting] = [positions.look(second), positions.noteAfter(note)]
    const endNote = () => {
      note.answer(5, 'new')
      return noting
    }
    if (order === 'before') await endNote()
    second.answer(4, 'new')
    await looking
    if (order === 'after') await endNote()
    t.equal(positions.needed(), undefined, `noted ${order} the look was answered`)
    third.answer(6, 'new')
    await positions.look(third)
    t.equal(positions.needed(), 6n)
  }
})

t.test('I8: a later timeline than that of the last look leaves nothing to standbys', async (t) => {
  const positions = makePositions(1000)
  const asked = async (what: 'look' | 'noteAfter', timeline: string, epoch = 'old') => {
    const one = question()
    one.answer(9, epoch, timeline)
    await positions[what](one)
    return positions.needed()
  }
  t.equal(await asked('look', '00000001'), 9n)
  t.equal(await asked('noteAfter', '00000002'), undefined, 'a write has reached a promoted server')
  t.equal(await asked('look', '00000001'), undefined, 'and the looks have not')
  t.equal(await asked('noteAfter', '00000001'), undefined)
  t.equal(await asked('look', '00000002', 'new'), undefined, 'what was noted meanwhile may be of either')
  t.equal(await asked('look', '00000002', 'new'), 9n)
  t.equal(await asked('look', '00000001', 'restored'), undefined)
  t.equal(await asked('look', '00000001', 'restored'), 9n, 'another database may have begun later')
})

t.test('I8: where the primary was is known since the first look', async (t) => {
  const positions = makePositions(1000)
  t.equal(positions.wasAt(0), undefined)
  const look = question()
  look.answer(9, 'one')
  await positions.look(look)
  t.equal(positions.wasAt(0), 9n)
  t.equal(positions.wasAt(60_000), undefined)
})

t.test('positions of a log are compared as numbers', async (t) => {
  const part = fc.nat(0xffffffff)
  const text = (high: number, low: number) => `${high.toString(16)}/${low.toString(16).toUpperCase()}`
  fc.assert(
    fc.property(
      part,
      part,
      (high, low) => positionOf(text(high, low)) === BigInt(high) * 2n ** 32n + BigInt(low),
    ),
  )
  for (const wrong of ['', '0', 'x/1', '1/2/3', null, undefined]) t.throws(() => positionOf(wrong))
})
