import fc from 'fast-check'
import t from 'tap'
import { labelEvery, ticksUpTo } from '../src/charts/scale.ts'
import type { Fields } from '../src/items/editor/fields.ts'
import { mergeFields } from '../src/items/editor/merge.ts'
import { type DiffPart, diffWords } from '../src/items/history/word-diff.ts'
import { CENTRED, cropArea, keepInside, moveBy } from '../src/items/images/crop.ts'
import { matchPath } from '../src/pages/match.ts'

const FRAME = { width: 400, height: 560 }

t.test('a crop never leaves the image and keeps the shape of its frame', async (t) => {
  const side = fc.integer({ min: 1, max: 8000 })
  const step = fc.integer({ min: -9000, max: 9000 })
  fc.assert(
    fc.property(
      side,
      side,
      fc.double({ min: 0, max: 9, noNaN: true }),
      step,
      step,
      (width, height, zoom, x, y) => {
        const image = { width, height }
        const crop = moveBy(image, FRAME, keepInside(image, FRAME, { ...CENTRED, zoom }), x, y)
        const area = cropArea(image, FRAME, crop)
        const slack = 1e-6 * Math.max(width, height)
        return (
          area.left >= -slack &&
          area.top >= -slack &&
          area.left + area.width <= width + slack &&
          area.top + area.height <= height + slack &&
          Math.abs(area.width / area.height - FRAME.width / FRAME.height) < 1e-6
        )
      },
    ),
  )
  t.pass('for all sizes and moves')
})

const text = fc.constantFrom('a', 'b', 'c')
const fields = fc.record({ itemTitle: text, itemDescription: text, link: text })

t.test('a merge takes what only one side has changed and reports what both have', async (t) => {
  fc.assert(
    fc.property(fields, fields, fields, (base: Fields, theirs: Fields, mine: Fields) => {
      const { fields: merged, clashes } = mergeFields(base, theirs, mine)
      return (['itemTitle', 'itemDescription', 'link'] as const).every((field) => {
        const isClash =
          mine[field] !== base[field] && theirs[field] !== base[field] && mine[field] !== theirs[field]
        const expected = mine[field] === base[field] ? theirs[field] : mine[field]
        return merged[field] === expected && clashes.some((clash) => clash.field === field) === isClash
      })
    }),
  )
  t.pass('for all texts')
})

t.test('a word diff gives back both texts, and marks the changed words only', async (t) => {
  const text = fc.array(fc.constantFrom('a ', 'b ', 'c', '. ', 'l’eau ')).map((words) => words.join(''))
  const without = (kind: string, parts: ReadonlyArray<DiffPart>) =>
    parts.map((part) => (part.kind === kind ? '' : part.text)).join('')
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after, 'fr')
      return without('added', parts) === before && without('removed', parts) === after
    }),
  )
  t.strictSame(diffWords('Six villages', 'Seven villages', 'en'), [
    { kind: 'removed', text: 'Six' },
    { kind: 'added', text: 'Seven' },
    { kind: 'same', text: ' villages' },
  ])
})

t.test('a path leads to one page, with the named parts of its path', async (t) => {
  const pages = [{ path: '/console/feed' }, { path: '/console/feed/:id' }]
  t.same(matchPath(pages, '/console/feed/'), { page: pages[0], params: {} })
  t.same(matchPath(pages, '/console/feed/1'), { page: pages[1], params: { id: '1' } })
  t.equal(matchPath(pages, '/console/feed/1/history'), undefined)
  t.equal(matchPath(pages, '/console'), undefined)
})

t.test(
  'an axis begins at 0 and ends at the greatest value or a little above, in at most four round steps',
  async (t) => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 9e15, noNaN: true }), (greatest) => {
        const ticks = ticksUpTo(greatest)
        const [top = 0, step = 0] = [ticks.at(-1), ticks[1]]
        return ticks[0] === 0 && ticks.length <= 5 && top >= greatest * 0.999999 && top - step < greatest
      }),
    )
    t.strictSame(ticksUpTo(0), [0, 0.25, 0.5, 0.75, 1])
    t.strictSame(ticksUpTo(1204), [0, 500, 1000, 1500])
    t.equal(labelEvery(12, 50, 300), 2)
    t.equal(labelEvery(4, 50, 300), 1)
  },
)
