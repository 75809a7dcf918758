import { makeSweepImages } from '@almoner/domain/operations'
import { done } from '@almoner/testkit/contracts'
import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { FEED_ITEM, LIBRARY_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { fileForm, imagePath, PICTURE, storedIn, upload } from '../support/uploads.ts'

interface History {
  readonly history: ReadonlyArray<{
    readonly revision: {
      readonly number: number
      readonly actor: { readonly kind: string; readonly id: string }
    }
  }>
}

onBoth(
  'K1, K2: a change in the console is recorded by the number of a manager, whose name is listed',
  async (t, fixture) => {
    const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    await signIn(fixture, 'operator')
    const itemId = await newLibraryItem(fixture)
    const path = `/console/api/library/${itemId}`
    const json = { ...LIBRARY_ITEM, status: 'Draft', itemTitle: 'Changed' }
    t.equal((await fixture.call('POST', path, { json, headers })).status, 200)
    const restored = await fixture.call('POST', `${path}/history/1/restore`, { headers })
    t.match(await restored.text(), LIBRARY_ITEM.itemTitle)
    const { history } = (await (await fixture.call('GET', `${path}/history`, { headers })).json()) as History
    const actors = history.map(({ revision }) => revision.actor)
    t.match(actors, [{ kind: 'person' }, { kind: 'person' }, { kind: 'client', id: 'manager' }])
    const people = await fixture.call('GET', '/console/api/people', { headers })
    const number = Number(actors[0]?.id)
    t.same(await people.json(), {
      people: [{ person: { number, name: 'editor' } }, { person: { number: number + 1, name: 'operator' } }],
    })
  },
)

const IMAGES = { coverImgUrl: 'https://example.org/c.jpg', notificationImgUrl: 'https://example.org/n.jpg' }
const WHOLE = { library: { ...LIBRARY_ITEM, ...IMAGES }, feed: FEED_ITEM }

for (const contentType of ['library', 'feed'] as const)
  onBoth(
    `M12: undo takes the caller’s latest act on a ${contentType} item back as a whole`,
    async (t, fixture) => {
      const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
      const colleague = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
      const itemId = await (contentType === 'library' ? newLibraryItem : newFeedItem)(fixture)
      const path = `/console/api/${contentType}/${itemId}`
      const write = async (json: object, by: Record<string, string> = headers) => {
        const response = await fixture.call('POST', path, {
          json: { ...WHOLE[contentType], ...json },
          headers: by,
        })
        t.equal(response.status, 200)
        return response.headers.get('etag') ?? ''
      }
      const undo = async (etag: string) => {
        const ifMatch = etag === '' ? {} : { 'if-match': etag }
        const response = await fixture.call('POST', `${path}/undo`, { headers: { ...headers, ...ifMatch } })
        return { status: response.status, etag: response.headers.get('etag') ?? '' }
      }
      const item = async () => {
        const query = { itemId, include: 'schedule' }
        const { items } = (await (
          await fixture.call('GET', `/console/api/${contentType}/`, { headers, query })
        ).json()) as { items: [{ item: { status: string; itemTitle: string; schedule: object } }] }
        const { status, itemTitle, schedule } = items[0].item
        return { status, itemTitle, ...schedule }
      }
      const at = fixture.clock.now() / 1000 + 7200
      await write({ status: 'Draft', publishAt: at })
      const archived = await write({ status: 'Archived', itemTitle: 'Gone' })
      t.equal((await undo(archived)).status, 200)
      const publishAt = new Date(at * 1000).toISOString()
      const { itemTitle } = WHOLE[contentType]
      t.strictSame(await item(), { status: 'Draft', itemTitle, publishAt, archiveAt: '' })

      await write({ status: 'Live', archiveAt: at })
      const { etag } = await undo(await write({ status: 'Archived' }))
      t.match(await item(), { status: 'Live' }, 'C5: from Archived to Live, by undo alone')
      const again = await undo(etag)
      t.match(await item(), { status: 'Archived' }, 'undo is an act, and so can be undone')
      t.equal((await undo(again.etag)).status, 200)

      const last = await write({ status: 'Live', itemTitle: 'Last' })
      t.equal((await undo('')).status, 412, 'names the revision')
      t.equal((await undo(etag)).status, 412, 'another revision')
      const theirs = await write({ status: 'Live', itemTitle: 'Theirs' }, colleague)
      t.equal((await undo(last)).status, 412, 'someone else was last')
      t.equal((await undo(theirs)).status, 404)
      const own = await write({ status: 'Archived' })
      fixture.clock.advance(3_600_000)
      t.equal((await undo(own)).status, 404, 'D5: an hour later')
      t.match(await item(), { status: 'Archived', itemTitle })
    },
  )

onBoth('M12, C15: undo sets no moment that has come meanwhile', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const itemId = await newFeedItem(fixture)
  const at = fixture.clock.now() / 1000 + 60
  const write = (json: object) =>
    fixture.call('POST', `/console/api/feed/${itemId}`, { json: { ...FEED_ITEM, ...json }, headers })
  await write({ status: 'Draft', publishAt: at })
  const etag = (await write({ status: 'Archived' })).headers.get('etag') ?? ''
  fixture.clock.advance(120_000)
  const undone = await fixture.call('POST', `/console/api/feed/${itemId}/undo`, {
    headers: { ...headers, 'if-match': etag },
  })
  t.match(await undone.json(), { item: { status: 'Draft' } })
  const query = { itemId, include: 'schedule' }
  const read = await fixture.call('GET', '/console/api/feed/', { headers, query })
  t.match(await read.json(), { items: [{ item: { schedule: { publishAt: '', archiveAt: '' } } }] })
})

for (const contentType of ['library', 'feed'] as const)
  onBoth(
    `M12, D5: undo restores the replaced image of a ${contentType} item for an hour; later its file is gone`,
    async (t, fixture) => {
      const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
      const itemId = await (contentType === 'library' ? newLibraryItem : newFeedItem)(fixture)
      const path = `/console/api/${contentType}/${itemId}`
      await upload(fixture, imagePath(contentType, itemId))
      const [first] = await storedIn(fixture)
      const replace = () =>
        fixture.call('POST', `/console/api${imagePath(contentType, itemId)}`, {
          multipart: fileForm({ bytes: PICTURE }),
          headers,
        })
      const etagNow = async () => (await fixture.call('GET', path, { headers })).headers.get('etag') ?? ''
      const undo = async () =>
        fixture.call('POST', `${path}/undo`, { headers: { ...headers, 'if-match': await etagNow() } })
      const shown = async () => {
        const { items } = (await (await fixture.call('GET', path, { headers })).json()) as {
          items: [{ item: { itemRelatedLink: string } }]
        }
        return items[0].item.itemRelatedLink
      }
      const sweep = () => done(makeSweepImages(fixture.ports)())
      t.equal((await replace()).status, 200)
      await sweep()
      t.equal((await storedIn(fixture)).length, 2, 'the sweep keeps both')
      t.equal((await undo()).status, 200)
      t.match(await shown(), String(first))
      t.equal((await fixture.call('GET', new URL(await shown()).pathname)).status, 200)
      await replace()
      fixture.clock.advance(3_600_001)
      await sweep()
      t.notMatch(await storedIn(fixture), [first], 'an hour later')
      t.equal((await storedIn(fixture)).length, 1)
      t.equal((await undo()).status, 404)
    },
  )
