import t from 'tap'
import { type Fixture, startFixture } from '../support/fixture.ts'
import {
  create,
  createIn,
  createLive,
  type Fields,
  IMAGES,
  itemIn,
  itemsIn,
  look,
  onEachStore,
  SENT,
  update,
} from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { PROXY_FORMS } from '../support/proxy-forms.ts'
import { fileForm, filesIn, imagePath, upload } from '../support/uploads.ts'

const CONTENT_TYPES = ['library', 'feed'] as const
type ContentType = (typeof CONTENT_TYPES)[number]

const STRONG = /^"[^"]+"$/
const STALE = '"stale"'

const etagOf = (answer: Response): string => answer.headers.get('etag') ?? ''
const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } })
const ifNoneMatch = (tag: string) => ({ as: 'manager', headers: { 'if-none-match': tag } }) as const

/** Every write that accepts If-Match (C10). */
const guardedWrites = (contentType: ContentType, itemId: string) => {
  const path = imagePath(contentType, itemId)
  return {
    update: (fixture: Fixture, headers: Record<string, string>) =>
      update(fixture, contentType, itemId, { itemTitle: 'Changed' }, { headers }),
    upload: (fixture: Fixture, headers: Record<string, string>) => upload(fixture, path, {}, { headers }),
    remove: (fixture: Fixture, headers: Record<string, string>) =>
      fixture.call('DELETE', path, { as: 'manager', headers }),
  }
}

/** An item of a content type that has an uploaded image, so that each of the writes would succeed. */
const illustrated = async (fixture: Fixture, contentType: ContentType, over: Fields = {}) => {
  const { itemId } = await create(fixture, contentType, over)
  const answer = await upload(fixture, imagePath(contentType, itemId))
  if (answer.status !== 200) throw new Error('expected an image')
  return itemId
}

for (const contentType of CONTENT_TYPES) {
  onEachStore(
    t,
    `C10: GET by path, create and update of a ${contentType} item return an ETag, which changes with each write`,
    async (t, fixture) => {
      const made = await fixture.call('POST', `/${contentType}/`, { as: 'manager', json: SENT[contentType] })
      const [item] = contentType === 'library' ? await itemsIn(made) : [await itemIn(made)]
      const itemId = item?.itemId ?? ''
      t.match(etagOf(made), STRONG, 'create')
      t.equal((await look(fixture, contentType, itemId)).etag, etagOf(made), 'GET returns the same')
      t.equal(
        etagOf(await fixture.call('HEAD', `/${contentType}/${itemId}`, { as: 'manager' })),
        etagOf(made),
        'HEAD too',
      )
      const tags = [etagOf(made)]
      const changed = await update(fixture, contentType, itemId)
      t.equal((await look(fixture, contentType, itemId)).etag, etagOf(changed), 'update')
      tags.push(etagOf(changed))
      await upload(fixture, imagePath(contentType, itemId))
      tags.push((await look(fixture, contentType, itemId)).etag)
      await fixture.call('DELETE', imagePath(contentType, itemId), { as: 'manager' })
      tags.push((await look(fixture, contentType, itemId)).etag)
      t.equal(new Set(tags).size, 4, 'each write has its own ETag')
      const other = await create(fixture, contentType)
      t.notOk(
        tags.includes((await look(fixture, contentType, other.itemId)).etag),
        'another item has another ETag',
      )
    },
  )

  onEachStore(
    t,
    `C4, C12: ${contentType} items that are streamed, or none by path, have no ETag`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      for (const [as, path] of [
        ['manager', `/${contentType}/`],
        ['manager', `/${contentType}/unknown`],
        ['user', `/${contentType}/${itemId}`],
      ] as const)
        t.equal((await fixture.call('GET', path, { as })).headers.get('etag'), null, `${as} ${path}`)
    },
  )

  onEachStore(
    t,
    `C10: GET of a ${contentType} item answers 304 to a matching If-None-Match`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      const path = `/${contentType}/${itemId}`
      const { etag } = await look(fixture, contentType, itemId)
      const ask = (tag: string, method = 'GET') =>
        fixture.call(method, path, { as: 'user', headers: { 'if-none-match': tag } })
      const forms = Object.values(PROXY_FORMS).map((form) => form(etag))
      for (const tag of [...forms, '*', `${STALE}, ${etag}`, `${STALE},W/${etag}`])
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(tag, method)
          t.equal(answer.status, 304, `${method} ${tag}`)
          t.equal(await answer.text(), '')
          t.equal(etagOf(answer), etag)
          t.equal(answer.headers.get('cache-control'), 'private, no-cache')
          t.match(answer.headers.get('vary'), /Authorization/)
        }
      for (const tag of [STALE, etag.slice(1, -1), '', etag.replace('.', '.1'), `W/${STALE}`])
        t.equal((await ask(tag)).status, 200, tag)
      t.equal((await update(fixture, contentType, itemId, { ...IMAGES, status: 'Live' })).status, 200)
      t.equal((await ask(etag)).status, 200, 'after a change')
    },
  )

  onEachStore(
    t,
    `C4, C10: If-None-Match reveals nothing about a hidden ${contentType} item`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const { etag } = await look(fixture, contentType, itemId)
      for (const tag of ['*', etag])
        for (const id of [itemId, 'unknown']) {
          const answer = await fixture.call('GET', `/${contentType}/${id}`, {
            as: 'user',
            headers: { 'if-none-match': tag },
          })
          t.equal(answer.status, 200)
          t.strictSame(await answer.json(), { items: [] })
        }
    },
  )

  for (const write of ['update', 'upload', 'remove'] as const) {
    onEachStore(
      t,
      `C10: If-Match guards ${write} of a ${contentType} item: 412 changes nothing`,
      async (t, fixture) => {
        const itemId = await illustrated(fixture, contentType)
        const act = guardedWrites(contentType, itemId)[write]
        const before = await look(fixture, contentType, itemId)
        const old = before.etag.replace(/\.\d+\./, '.1.')
        t.not(old, before.etag)
        // At the same revision, so that only the items differ.
        const other = await look(fixture, contentType, await illustrated(fixture, contentType))
        const files = filesIn(fixture)
        for (const tag of [STALE, old, other.etag, 'x', before.etag.slice(1, -1), `${STALE}, ${old}`, ''])
          await seeProblem(t, await act(fixture, { 'if-match': tag }), 'precondition_failed', tag)
        t.strictSame(await look(fixture, contentType, itemId), before, 'nothing has changed')
        t.strictSame(filesIn(fixture), files, 'no file was added or deleted')
        t.equal((await act(fixture, { 'if-match': before.etag })).status, 200, 'the current one')
        await seeProblem(
          t,
          await act(fixture, { 'if-match': before.etag }),
          'precondition_failed',
          'outdated',
        )
      },
    )

    onEachStore(
      t,
      `C13: ${write} of a ${contentType} item takes its ETag in the forms that proxies give it`,
      async (t, fixture) => {
        const itemId = await illustrated(fixture, contentType)
        for (const [proxy, form] of Object.entries(PROXY_FORMS)) {
          if (write === 'remove') await upload(fixture, imagePath(contentType, itemId))
          const { etag } = await look(fixture, contentType, itemId)
          const answer = await guardedWrites(contentType, itemId)[write](fixture, { 'if-match': form(etag) })
          t.equal(answer.status, 200, `${proxy} ${await answer.text()}`)
        }
      },
    )

    onEachStore(
      t,
      `C10: If-Match of ${write} of a ${contentType} item accepts * and a list of ETags`,
      async (t, fixture) => {
        for (const several of [false, true]) {
          const itemId = await illustrated(fixture, contentType)
          const { etag } = await look(fixture, contentType, itemId)
          const tag = several ? `${STALE}, ${etag}` : '*'
          t.equal(
            (await guardedWrites(contentType, itemId)[write](fixture, { 'if-match': tag })).status,
            200,
            tag,
          )
        }
      },
    )

    onEachStore(t, `C10: unknown ${contentType} item: 404 before 412 for ${write}`, async (t, fixture) => {
      const act = guardedWrites(contentType, 'unknown')[write]
      for (const tag of [STALE, '*', '"unknown.1"'])
        await seeProblem(t, await act(fixture, { 'if-match': tag }), 'not_found', tag)
    })
  }

  onEachStore(t, `C10: without If-Match the last write to a ${contentType} item wins`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const names = ['first', 'second', 'third', 'fourth']
    const answers = await Promise.all(
      names.map((itemTitle) => update(fixture, contentType, itemId, { itemTitle })),
    )
    for (const answer of answers) t.equal(answer.status, 200)
    await update(fixture, contentType, itemId, { itemTitle: 'last' })
    const { etag, item } = await look(fixture, contentType, itemId)
    t.equal(item.itemTitle, 'last')
    t.match(etag, /\.6\./, 'no write is lost')
  })

  onEachStore(
    t,
    `C10: of concurrent ${contentType} edits with one ETag exactly one succeeds`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const { etag } = await look(fixture, contentType, itemId)
      const names = Array.from({ length: 12 }, (_, n) => `edit ${n}`)
      const answers = await Promise.all(
        names.map((itemTitle) => update(fixture, contentType, itemId, { itemTitle }, ifMatch(etag))),
      )
      const statuses = answers.map(({ status }) => status)
      t.strictSame(statuses.toSorted(), [200, ...Array.from({ length: 11 }, () => 412)])
      const winner = names[statuses.indexOf(200)]
      t.equal((await look(fixture, contentType, itemId)).item.itemTitle, winner)
    },
  )

  onEachStore(
    t,
    `C10: labels neither change nor need the ETag of a ${contentType} item`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const before = await look(fixture, contentType, itemId)
      const path = `/${contentType}/${itemId}/label`
      const attached = await fixture.call('POST', path, {
        as: 'manager',
        json: { labelId: 'water' },
        ...ifMatch(STALE),
      })
      t.equal(attached.status, 200, 'attach with an ETag that does not match')
      t.equal(attached.headers.get('etag'), null)
      t.strictSame(await look(fixture, contentType, itemId), before)
      const listed = await fixture.call('GET', path, ifNoneMatch(before.etag))
      t.equal(listed.status, 200, 'labels have a tag of theirs (C14)')
      t.equal(
        (await fixture.call('DELETE', `${path}/water`, { as: 'manager', ...ifMatch(STALE) })).status,
        200,
        'detach',
      )
      t.strictSame(await look(fixture, contentType, itemId), before)
    },
  )

  onEachStore(
    t,
    `C10: a rejected transition or a bad field of a ${contentType} item does not change its ETag`,
    async (t, fixture) => {
      const { itemId } = await createIn(fixture, contentType, 'Archived')
      const { etag } = await look(fixture, contentType, itemId)
      await seeProblem(
        t,
        await update(fixture, contentType, itemId, { status: 'Live' }, ifMatch(etag)),
        'illegal_move',
      )
      await seeProblem(
        t,
        await update(fixture, contentType, itemId, { itemTitle: '' }, ifMatch(etag)),
        'invalid_request',
      )
      t.equal((await look(fixture, contentType, itemId)).etag, etag)
      await seeProblem(
        t,
        await update(fixture, contentType, itemId, { status: 'Live' }, ifMatch(STALE)),
        'precondition_failed',
        '412 before the transition',
      )
    },
  )

  t.test(`C10: ETags of ${contentType} items survive a restart`, async (t) => {
    const folder = t.testdir()
    const first = await startFixture(folder)
    const { itemId } = await createLive(first, contentType)
    const before = await look(first, contentType, itemId)
    await first.stop()
    const second = await startFixture(folder, { after: first })
    t.teardown(second.stop)
    t.strictSame(await look(second, contentType, itemId), before)
    const unchanged = await second.call('GET', `/${contentType}/${itemId}`, {
      as: 'user',
      headers: { 'if-none-match': before.etag },
    })
    t.equal(unchanged.status, 304)
    await seeProblem(t, await update(second, contentType, itemId, {}, ifMatch(STALE)), 'precondition_failed')
    t.equal((await update(second, contentType, itemId, {}, ifMatch(before.etag))).status, 200)
  })
}

onEachStore(t, 'C10: uploads and removals return no ETag', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  const path = imagePath('library', itemId)
  const sent = await fixture.call('POST', path, { as: 'manager', multipart: fileForm() })
  t.equal(sent.headers.get('etag'), null)
  t.equal((await fixture.call('DELETE', path, { as: 'manager' })).headers.get('etag'), null)
})
