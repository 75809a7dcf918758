import type { LibraryItem } from '@almoner/domain'
import { type ItemTitle, instant } from '@almoner/domain/values'
import { sampleLibraryItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { cacheItems } from '../../src/plugins/item-cache.ts'

/** Renders titles, and counts how often. */
const counting = (most?: number) => {
  let times = 0
  const rendered = cacheItems(most)('library', ({ title }: LibraryItem) => {
    times += 1
    return title
  })
  return { rendered, times: () => times }
}

const titled = (n: number, title: string, over: Partial<LibraryItem> = {}) =>
  ({ ...sampleLibraryItem(n), title: title as ItemTitle, ...over }) as LibraryItem

t.test('an item is rendered once per revision and time of change (C10)', async (t) => {
  const { rendered, times } = counting()
  t.match(rendered(titled(1, 'é')), { text: 'é', bytes: Buffer.from(',é') })
  t.equal(rendered(titled(1, 'another object')).text, 'é')
  t.equal(rendered(titled(1, 'b', { revision: 2 })).text, 'b')
  t.equal(rendered(titled(1, 'c', { updatedAt: instant(5) })).text, 'c')
  t.equal(rendered(titled(2, 'd')).text, 'd')
  t.equal(times(), 4)
})

t.test('the item cache has a limit in bytes, and drops the items that were read longest ago', async (t) => {
  const { rendered, times } = counting(400)
  const text = 'x'.repeat(20)
  for (let n = 0; n < 40; n += 1) {
    rendered(titled(n, text))
    rendered(titled(0, text))
  }
  t.equal(times(), 40, 'frequently read items stay')
  rendered(titled(1, text))
  t.equal(times(), 41, 'others are rendered again')
})
