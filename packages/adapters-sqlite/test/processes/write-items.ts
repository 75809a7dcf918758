import { done, sampleFeedItem, sampleId } from '@almoner/testkit/contracts'
import { openStore } from '../store-of.ts'

// Writes feed items one by one. Usage: node write-items.ts FILE FIRST COUNT
const [, , file = '', first, count] = process.argv
const store = await openStore(file)
for (let n = 0; n < Number(count); n += 1) {
  const item = sampleFeedItem(n, { id: sampleId(Number(first) + n) })
  await done(store.feedItems.add({ item, linksToImages: [] }))
}
await store.close()
