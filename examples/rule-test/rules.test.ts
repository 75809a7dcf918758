import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerWith, done, sampleFeedItem, testFixture } from '@almoner/testkit/samples'

test('only content managers see Drafts', async () => {
  const { act, ports } = testFixture()
  await done(ports.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  assert.equal((await act.feed.list(callerWith('user'), {})).loaded?.length, 0)
  assert.equal((await act.feed.list(callerWith('content-manager'), {})).loaded?.length, 1)
})
