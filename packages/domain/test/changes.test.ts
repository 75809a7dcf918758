import {
  ASPECTS,
  CHANGE_KINDS,
  ChangeCursor,
  type ChangesTip,
  encodeChangeCursor,
  makeListChanges,
} from '@almoner/domain/changes'
import { type Label, LibraryCursor } from '@almoner/domain/content'
import type { ChangesRead } from '@almoner/domain/ports'
import type { LocalDate } from '@almoner/domain/values'
import { done, failure, sampleId } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { libraryLive, manager, newFixture } from './fixtures/fixture.ts'

const option = <A>(value: fc.Arbitrary<A>) => fc.option(value).map(O.fromNullable)
const position = fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER })
const day = fc
  .integer({ min: 0, max: 40_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10) as LocalDate)
const identifier = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme', maxLength: 40 }))

const cursor: fc.Arbitrary<ChangeCursor> = fc
  .record({
    epoch: fc.stringMatching(/^[0-9a-f]{12}$/),
    view: fc.stringMatching(/^\d-(?:en|fr|)-\d{1,2}-\d-[0-9a-z]{14}$/),
    day,
    due: option(
      fc
        .tuple(day, option(fc.tuple(day, fc.uuid()).map((parts) => read(LibraryCursor, parts.join('~')))))
        .map(([until, after]) => ({ until, after })),
    ),
    first: option(position),
    seen: position,
    position,
    place: option(
      fc.record({
        rank: fc.nat(),
        kind: fc.constantFrom(...CHANGE_KINDS),
        id: identifier,
        aspect: fc.constantFrom(...ASPECTS),
      }),
    ),
  })
  .map(({ place, seen, ...rest }) => ({
    ...rest,
    seen: Math.max(seen, rest.position),
    place: O.map((one: object) => ({ ...one, position: rest.position }))(place) as ChangeCursor['place'],
  }))

t.test('N3: a cursor is read as it was written', async (t) => {
  fc.assert(
    fc.property(cursor, (one) => {
      t.strictSame(read(ChangeCursor, encodeChangeCursor(one)), one)
    }),
  )
})

t.test('N3: what is no cursor is rejected: one with another character, a part, other text', async () => {
  const character = fc.stringMatching(/^[0-9a-z_.~-]$/)
  fc.assert(
    fc.property(cursor, fc.nat(), character, (one, at, other) => {
      const text = encodeChangeCursor(one)
      const place = at % text.length
      const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`
      return changed === text || E.isLeft(ChangeCursor.decode(changed))
    }),
  )
  fc.assert(fc.property(cursor, (one) => E.isLeft(ChangeCursor.decode(encodeChangeCursor(one).slice(0, -1)))))
  fc.assert(fc.property(fc.string(), (text) => E.isLeft(ChangeCursor.decode(text))))
})

const WATER = { labelId: 'water', en: 'Water', fr: 'Eau' } as unknown as Label

t.test(
  'N3: a cursor holds what was read after its changes too, and the portfolio is loaded again',
  async (t) => {
    let [epoch, end] = [O.none as O.Option<string>, 0]
    const inEpoch = (tip: ChangesTip): ChangesTip => ({
      ...tip,
      ...(O.isSome(epoch) && { epoch: epoch.value }),
    })
    const fixture = newFixture({}, ({ changes, labels }) => ({
      changes: {
        ...changes,
        tip: () => TE.map(inEpoch)(changes.tip()),
        after: (query) =>
          TE.map((found: ChangesRead) => ({ ...found, tip: inEpoch(found.tip) }))(changes.after(query)),
        endOf: () => TE.right(O.some(end)),
      },
      // Another request attaches a label between the changes and the labels.
      labels: {
        ...labels,
        ofItems: (contentType, ids) =>
          pipe(
            labels.attach(contentType, ids[0] ?? sampleId(1), WATER.labelId),
            TE.orElse(() => TE.right(WATER)),
            TE.flatMap(() => labels.ofItems(contentType, ids)),
          ),
      },
    }))
    await done(fixture.ports.labels.replaceAll([WATER]))
    await libraryLive(fixture)
    const list = makeListChanges(fixture.ports, domain.DEFAULT_POLICY)
    const { position: before } = await done(fixture.ports.changes.tip())
    const first = await done(list(manager, { include: ['labels'] }))
    const since = read(ChangeCursor, first.cursor)
    t.equal(since.position, before)
    t.equal(since.seen, before + 1)

    epoch = O.some('after')
    end = before
    t.equal(await failure(list(manager, { include: ['labels'], since })), 'CursorExpired')
    end = since.seen
    const { changes, cursor } = await done(list(manager, { include: ['labels'], since }))
    t.strictSame(changes[0], { kind: 'portfolio', operation: 'reload' })
    const next = await done(list(manager, { include: ['labels'], since: read(ChangeCursor, cursor) }))
    t.strictSame(next.changes, [], 'not a second time')
  },
)
