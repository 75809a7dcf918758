import type { AuditRecord } from '@almoner/domain/history'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { API_ROUTES } from '../../src/index.ts'
import { BASE_URL, CLIENTS, type Fixture } from '../support/fixture.ts'
import {
  create,
  createLive,
  type Fields,
  IMAGES,
  itemIn,
  look,
  onEachStore,
  SENT,
  update,
} from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { newFeedItem, newLibraryItem, newNotification, PARAMETERS, routeNamed } from '../support/samples.ts'
import { imagePath, upload } from '../support/uploads.ts'
import { runnerOf, WRITES } from '../support/writes.ts'

const CONTENT_TYPES = ['library', 'feed'] as const
type ContentType = (typeof CONTENT_TYPES)[number]

interface SeenRevision {
  readonly number: number
  readonly at: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly action: string
  readonly changes: ReadonlyArray<{
    readonly field: string
    readonly before: string | null
    readonly after: string | null
  }>
}

/** The revisions of an item, newest first, and the rest of the answer. */
const historyOf = async (fixture: Fixture, contentType: ContentType, itemId: string, query = '') => {
  const answer = await fixture.call('GET', `/${contentType}/${itemId}/history${query}`, { as: 'manager' })
  const { history } = (await answer.json()) as {
    history: ReadonlyArray<{ readonly revision: SeenRevision }>
  }
  return { status: answer.status, link: answer.headers.get('link'), all: history.map((one) => one.revision) }
}

const restore = (
  fixture: Fixture,
  contentType: ContentType,
  itemId: string,
  number: number | string,
  headers: Record<string, string> = {},
) => fixture.call('POST', `/${contentType}/${itemId}/history/${number}/restore`, { as: 'manager', headers })

/** The values that a field had, oldest first. */
const valuesOf = (revisions: ReadonlyArray<SeenRevision>, field: string) =>
  [...revisions]
    .reverse()
    .flatMap(({ changes }) => changes.filter((one) => one.field === field).map(({ after }) => after))

for (const contentType of CONTENT_TYPES) {
  onEachStore(t, `K1, K2: each write of a ${contentType} item is a revision`, async (t, fixture) => {
    const { itemId, createdAt } = await create(fixture, contentType)
    await upload(fixture, imagePath(contentType, itemId))
    await update(fixture, contentType, itemId, { itemTitle: 'Changed' })
    await update(fixture, contentType, itemId, { itemTitle: 'Changed' })
    await fixture.call('DELETE', imagePath(contentType, itemId), { as: 'manager' })
    const { status, all } = await historyOf(fixture, contentType, itemId)
    t.equal(status, 200)
    t.strictSame(
      all.map(({ number, action }) => [number, action]),
      [
        [5, 'remove-image'],
        [3, 'update'],
        [2, 'upload-image'],
        [1, 'create'],
      ],
      'an update with the same values changes nothing',
    )
    t.strictSame(new Set(all.map(({ actor }) => JSON.stringify(actor))), new Set([actorOf('manager')]))
    t.equal(all.at(-1)?.at, createdAt)
    t.ok(all.at(-1)?.changes.every(({ before }) => before === null))
    t.strictSame(all[1]?.changes, [
      { field: 'itemTitle', before: SENT[contentType]['itemTitle'], after: 'Changed' },
    ])
    const image = contentType === 'library' ? 'coverImgUrl' : 'itemRelatedLink'
    const uploaded = all[2]?.changes[0]
    t.equal(uploaded?.field, image)
    t.ok(uploaded?.after?.startsWith(`${BASE_URL}/static/media/`), 'an image has its present address')
    t.strictSame(all[0]?.changes, [{ field: image, before: uploaded?.after, after: '' }])
    const derived = [
      'updatedAt',
      'createdAt',
      'itemId',
      ...(contentType === 'library' ? ['itemRelatedLink'] : []),
    ]
    const fields = new Set(all.flatMap(({ changes }) => changes.map(({ field }) => field)))
    t.strictSame(
      derived.filter((field) => fields.has(field)),
      [],
    )
  })

  onEachStore(t, `K1: rejected writes of a ${contentType} item leave no revision`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    await update(fixture, contentType, itemId, { itemTitle: '' })
    await update(fixture, contentType, itemId, { itemTitle: 'Other' }, { headers: { 'if-match': '"stale"' } })
    await update(fixture, contentType, itemId, { itemTitle: 'Other' }, { as: 'donor' })
    await fixture.call('DELETE', imagePath(contentType, itemId), { as: 'manager' })
    t.equal((await historyOf(fixture, contentType, itemId)).all.length, 1)
  })

  onEachStore(t, `K2: a ${contentType} item’s revision is restored`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType, { lang: 'fr', isDonorRestricted: '1' })
    const before = await look(fixture, contentType, itemId)
    const sent = { itemTitle: 'Other', lang: 'en', isDonorRestricted: '0', link: 'https://example.org/other' }
    await update(fixture, contentType, itemId, { ...sent, itemDescription: 'Other' })
    const answer = await restore(fixture, contentType, itemId, 1)
    t.equal(answer.status, 200)
    t.match(answer.headers.get('etag'), /^".+"$/)
    const { updatedAt, ...restored } = await itemIn(answer)
    const { updatedAt: _, ...first } = before.item as typeof restored & { updatedAt: string }
    t.strictSame(restored, first)
    const { all } = await historyOf(fixture, contentType, itemId)
    t.strictSame([all[0]?.number, all[0]?.action], [3, 'restore'])
    t.strictSame(valuesOf(all, 'itemTitle'), [first.itemTitle, 'Other', first.itemTitle])
  })

  onEachStore(
    t,
    `K2, C5: restoring a ${contentType} item’s status keeps to the table`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      const live = (await historyOf(fixture, contentType, itemId)).all[0]?.number ?? 0
      await update(fixture, contentType, itemId, { status: 'Archived' })
      await seeProblem(t, await restore(fixture, contentType, itemId, live), 'illegal_move')
      await update(fixture, contentType, itemId, { status: 'Draft' })
      t.equal((await itemIn(await restore(fixture, contentType, itemId, live))).status, 'Live')
    },
  )

  onEachStore(t, `K2, C10: restoring a ${contentType} item honours If-Match`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    await update(fixture, contentType, itemId, { itemTitle: 'Other' })
    const { etag } = await look(fixture, contentType, itemId)
    const stale = await restore(fixture, contentType, itemId, 1, { 'if-match': '"stale"' })
    await seeProblem(t, stale, 'precondition_failed')
    t.equal((await restore(fixture, contentType, itemId, 1, { 'if-match': etag })).status, 200)
    const unknown = await restore(fixture, contentType, itemId, 99, { 'if-match': '"stale"' })
    await seeProblem(t, unknown, 'not_found')
    await seeProblem(t, await restore(fixture, contentType, 'nope', 1), 'not_found')
    await seeProblem(t, await restore(fixture, contentType, itemId, 'x'), 'invalid_request')
    t.equal((await historyOf(fixture, contentType, itemId)).all.length, 3)
  })

  onEachStore(t, `K2, D5: a ${contentType} image that is gone cannot be restored`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    await upload(fixture, imagePath(contentType, itemId))
    const field = contentType === 'library' ? 'coverImgUrl' : 'itemRelatedLink'
    const url = (await look(fixture, contentType, itemId)).item?.[field] ?? ''
    await fixture.call('DELETE', imagePath(contentType, itemId), { as: 'manager' })
    const answer = await restore(fixture, contentType, itemId, 2)
    const { detail } = (await answer.clone().json()) as { detail: string }
    await seeProblem(t, answer, 'image_gone')
    t.ok(detail.includes(url), 'it is named')
    t.equal((await historyOf(fixture, contentType, itemId)).all.length, 3)
  })

  onEachStore(t, `K2, C11: a ${contentType} item’s history is walked in pages`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    for (let n = 2; n <= 5; n += 1) await update(fixture, contentType, itemId, { itemTitle: `Title ${n}` })
    const numbers: Array<number> = []
    for (let query: string | undefined = '?lim=2'; query !== undefined; ) {
      const { all, link } = await historyOf(fixture, contentType, itemId, query)
      numbers.push(...all.map(({ number }) => number))
      query = /\?[^>]*/.exec(link ?? '')?.[0]
    }
    t.strictSame(numbers, [5, 4, 3, 2, 1])
    t.strictSame((await historyOf(fixture, contentType, itemId, '?lim=1&offset=4')).all[0]?.number, 1)
    t.strictSame(await historyOf(fixture, contentType, 'nope'), { status: 200, link: null, all: [] })
  })
}

const actorOf = (who: keyof typeof CLIENTS) => JSON.stringify({ kind: 'client', id: who })

onEachStore(t, 'K2: a history needs the scope content-manager', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed')
  const path = `/feed/${itemId}/history`
  for (const as of ['user', 'donor'] as const) {
    await seeProblem(t, await fixture.call('GET', path, { as }), 'insufficient_scope')
    await seeProblem(t, await fixture.call('POST', `${path}/1/restore`, { as }), 'insufficient_scope')
  }
  t.equal((await fixture.call('GET', path, { as: 'admin' })).status, 200)
})

onEachStore(
  t,
  'K1: a donor’s post is created by the donor’s client, without an address',
  async (t, fixture) => {
    const made = await fixture.call('POST', '/feed/', { as: 'donor', json: SENT.feed })
    const { itemId } = await itemIn(made)
    const answer = await fixture.call('GET', `/feed/${itemId}/history`, { as: 'manager' })
    const text = await answer.text()
    t.match(text, actorOf('donor'))
    t.notMatch(text, CLIENTS.donor.email)
  },
)

onEachStore(t, 'K2: restoring a post clears a link that it did not have', async (t, fixture) => {
  const photo: Fields = { itemType: 'photo', itemTitle: 'Pump', itemDescription: 'A pump at work', link: '' }
  const { itemId } = await create(fixture, 'feed', photo)
  await update(fixture, 'feed', itemId, { ...photo, link: 'https://example.org/photo.png' })
  t.equal((await itemIn(await restore(fixture, 'feed', itemId, 1))).link, '')
})

onEachStore(t, 'K2, I4: a restore with a key is done once', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library', IMAGES)
  await update(fixture, 'library', itemId, { itemTitle: 'Other' })
  const key = { 'idempotency-key': 'once' }
  const first = await restore(fixture, 'library', itemId, 1, key)
  const second = await restore(fixture, 'library', itemId, 1, key)
  t.equal(second.headers.get('idempotency-replayed'), 'true')
  t.equal(await second.text(), await first.text())
  t.equal((await historyOf(fixture, 'library', itemId)).all.length, 3)
})

/** Writes that leave no record (F7). */
const SILENT = ['markSeen']

onEachStore(
  t,
  'K1: every write of the API leaves one record of its client, and a read none',
  async (t, fixture) => {
    const ids = {
      library: await newLibraryItem(fixture),
      feed: await newFeedItem(fixture),
      notification: await newNotification(fixture),
    }
    const { itemId: counterpartId } = await create(fixture, 'library', { lang: 'fr' })
    const token = PARAMETERS['attachToken']?.['device_token'] ?? ''
    const all = async () => {
      const records: Array<AuditRecord> = []
      const everything = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }
      for await (const batch of fixture.ports.history.records(everything)) records.push(...batch)
      return records
    }
    const run = runnerOf(fixture, { ...ids, counterpart: counterpartId })
    for (const [name, action, own] of WRITES) {
      const before = await all()
      const { as, response } = await run(routeNamed(name), own)
      t.equal(response.status, 200, name)
      const [record, ...others] = await all()
      t.same(others, before, `${name} leaves one record`)
      t.match(record, { action, actor: { kind: 'client', id: as } }, name)
    }
    const writes = API_ROUTES.filter(({ method }) => method !== 'GET').map(({ operation }) => operation)
    t.same([...WRITES.map(([name]) => name), ...SILENT].sort(), writes.sort(), 'every write')
    const before = await all()
    for (const route of API_ROUTES.filter(({ method }) => method === 'GET')) await run(route, undefined)
    t.same(await all(), before)
    t.notMatch(JSON.stringify(before), new RegExp(`@|${token}`), 'no address and no token')
  },
)
