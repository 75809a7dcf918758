import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ClientId,
  callerOf,
  decode,
  instant,
  isVisible,
  makeUpdateFeedItem,
  mediaAddressesBelow,
  type Scope,
  UpdateFeedItem,
  visibilityOf,
} from '@almoner/domain'
import { done, failure, sampleFeedItem } from '@almoner/domain/contracts'
import { memoryMediaStore, memoryStore, setClock } from '@almoner/domain/memory'
import { isRight } from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'

const callerWith = (scope: Scope) =>
  callerOf({ clientId: 'test' as ClientId, scopes: [scope], roles: [], email: none })
const manager = callerWith('content-manager')

test('a rule is a function: only donors see what is restricted to them', () => {
  const restricted = { status: 'Live', isDonorRestricted: true } as const
  assert.equal(isVisible(visibilityOf(callerWith('user'), none))(restricted), false)
  assert.equal(isVisible(visibilityOf(callerWith('user-donor'), none))(restricted), true)
})

/** The use case on a store that holds one Draft, and the clock that both go by. */
const world = async () => {
  const clock = setClock()
  const store = memoryStore()
  const post = sampleFeedItem(1)
  await done(store.feedItems.add({ item: post, linksToImages: [] }))
  const mediaAddresses = mediaAddressesBelow('https://api.example.org')
  const update = makeUpdateFeedItem({ ...store, clock, mediaAddresses, mediaStore: memoryMediaStore(clock) })
  const move = (status: string) => {
    const command = decode(UpdateFeedItem)({
      itemId: post.id,
      itemType: 'link',
      itemTitle: 'A new well',
      itemDescription: 'Clean water since Monday.',
      link: 'https://example.org/well',
      status,
    })
    assert.ok(isRight(command))
    return update(manager, command.right, none)
  }
  return { clock, move }
}

test('the test sets the clock', async () => {
  const { clock, move } = await world()
  clock.set(instant(Date.UTC(2030, 0, 1)))
  const live = await done(move('Live'))
  assert.deepEqual([live.status, live.updatedAt], ['Live', Date.UTC(2030, 0, 1)])
})

test('a failure is a value: an archived item becomes a Draft before it is Live again', async () => {
  const { move } = await world()
  await done(move('Archived'))
  assert.equal(await failure(move('Live')), 'IllegalTransition')
  await done(move('Draft'))
  assert.equal((await done(move('Live'))).status, 'Live')
})
