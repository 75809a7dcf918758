import { DATA_AREAS, type DataPart, itemPart } from '@almoner/domain/history'
import type { ItemId } from '@almoner/domain/values'
import fc from 'fast-check'
import t from 'tap'
import { makeVersions, readParts, writeParts } from '../src/index.ts'

const id = fc.nat({ max: 7 }).map((n) => `0189000${n}-0000-7000-8000-000000000000` as ItemId)
const item = fc
  .tuple(fc.constantFrom('library' as const, 'feed' as const), id)
  .map(([contentType, itemId]) => itemPart(contentType, itemId))
const part: fc.Arbitrary<DataPart> = fc.oneof(item, fc.constantFrom(...DATA_AREAS))
const parts = fc.array(part, { minLength: 1, maxLength: 3 })
const changes = fc.array(fc.option(parts, { nil: undefined, freq: 8 }), { maxLength: 40 })

const areaOf = (one: string) => one.split('/')[0]

/** Whether a change of some parts is one of another part: of the same, of its area, or of an item in it. */
const concerns = (changed: ReadonlyArray<DataPart> | undefined, asked: DataPart): boolean =>
  changed === undefined ||
  changed.some((one) => one === asked || one === areaOf(asked) || areaOf(one) === asked)

t.test('I8: the version of parts rises with each of their changes, and of all data with any', (t) => {
  fc.assert(
    fc.property(changes, fc.array(parts), fc.integer({ min: 0, max: 6 }), (made, asked, most) => {
      const versions = makeVersions(most)
      for (const change of made) {
        const [all, before] = [versions.of(), asked.map(versions.of)]
        versions.count(change)
        if (versions.of() <= all) return false
        const isRight = asked.every((one, n) => {
          const [was = 0, is] = [before[n], versions.of(one)]
          return one.some((each) => concerns(change, each)) ? is > was : is >= was
        })
        if (!isRight) return false
      }
      return true
    }),
  )
  t.end()
})

t.test('I8: while all items fit, other changes leave a version as it is', (t) => {
  fc.assert(
    fc.property(changes, parts, (made, asked) => {
      const versions = makeVersions(100)
      return made.every((change) => {
        const before = versions.of(asked)
        versions.count(change)
        return versions.of(asked) === before || asked.some((each) => concerns(change, each))
      })
    }),
  )
  t.end()
})

t.test(
  'I8: a signal names what changed, in less than 8,000 bytes, and nothing else is read as a part',
  (t) => {
    const many = fc.array(part, { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(fc.option(many, { nil: undefined }), (changed) => {
        const text = writeParts(changed)
        const heard = readParts(text)
        return Buffer.byteLength(text) < 8000 && (changed ?? DATA_AREAS).every((one) => concerns(heard, one))
      }),
    )
    t.strictSame(readParts(writeParts(['labels', 'people'])), ['labels', 'people'])
    for (const text of [
      '',
      'content',
      'library,',
      'library/x',
      "library/'",
      'labels,later',
      'people/01890000',
    ])
      t.equal(readParts(text), undefined, text)
    t.equal(writeParts(["library/'; drop table client; --" as DataPart]), '', 'anything')
    t.end()
  },
)
