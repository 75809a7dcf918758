import { addMillis } from '@almoner/domain/values'
import { done, MANAGER_NOW, sampleCopy } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { type ConsoleFixture, EDITOR, OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { newFeedItem, newLibraryItem } from '../support/samples.ts'
import { FIELD, fileForm, filesIn, JPEG, nameIn, PICTURE, served } from '../support/uploads.ts'

const TYPED = { itemTitle: 'Wat', publicationDate: '31.2.' }

onBoth('M7: what a manager types is stored as it is, and the item stays as it was', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const itemId = await newLibraryItem(fixture)
  const read = async () => fixture.call('GET', `/library/${itemId}`, { as: 'manager' })
  const before = await read()
  const baseETag = before.headers.get('etag') ?? ''
  const path = `/console/api/copies/${itemId}`
  const put = await fixture.call('PUT', path, {
    json: { contentType: 'library', baseETag, fields: JSON.stringify(TYPED) },
    headers,
  })
  const updatedAt = new Date(fixture.clock.now()).toISOString()
  const copy = { key: itemId, contentType: 'library', updatedAt }
  t.same([put.status, await put.json()], [200, { copy: { ...copy, baseRevision: 1, title: 'Wat' } }])
  const got = await fixture.call('GET', path, { headers })
  t.same(await got.json(), { copy: { ...copy, baseETag, fields: JSON.stringify(TYPED), images: {} } })
  const listed = await fixture.call('GET', '/console/api/copies', { headers })
  t.same(await listed.json(), { copies: [{ copy: { ...copy, baseRevision: 1, title: 'Wat' } }] })
  t.equal((await read()).headers.get('etag'), baseETag)
  for (let n = 0; n < 2; n += 1) {
    const gone = await fixture.call('DELETE', path, { headers })
    t.same([gone.status, await gone.text()], [200, ''])
  }
  await seeProblem(t, await fixture.call('GET', path, { headers }), 'not_found')
})

onBoth('M7: a copy of a new item has no revision; others’ copies are unknown', async (t, fixture) => {
  const editor = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const operator = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const path = '/console/api/copies/new-1'
  const json = { contentType: 'feed', baseETag: '', fields: '{}' }
  const put = await fixture.call('PUT', path, { json, headers: editor })
  t.match(await put.json(), { copy: { baseRevision: null, title: '' } })
  await seeProblem(t, await fixture.call('GET', path, { headers: operator }), 'not_found')
  t.equal((await fixture.call('DELETE', path, { headers: operator })).status, 200)
  t.equal(
    (await fixture.call('GET', path, { headers: editor })).status,
    200,
    'not deleted by another manager',
  )
})

onBoth('M7: fields may have 262,144 characters, however they are escaped', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const put = (text: string) =>
    fixture.call('PUT', '/console/api/copies/new-1', {
      json: { contentType: 'library', fields: JSON.stringify({ a: text }) },
      headers,
    })
  const most = 262_144 - '{"a":""}'.length
  t.equal((await put('x'.repeat(most))).status, 200)
  t.equal((await put('"'.repeat(most / 2))).status, 200)
  t.equal((await put('é'.repeat(most))).status, 200)
  await seeProblem(t, await put('x'.repeat(most + 1)), 'invalid_request')
  await seeProblem(t, await put('x'.repeat(2 * 1024 * 1024)), 'content_too_large')
  const plain = await fixture.call('PUT', '/console/api/session/language', {
    json: { lang: 'en', more: 'x'.repeat(200_000) },
    headers,
  })
  t.equal(plain.status, 413, 'other routes keep their limit')
})

onBoth('M7: errors of a working copy name its parameters', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const bad = await fixture.call('PUT', '/console/api/copies/new-1', { json: { fields: '[]' }, headers })
  const { errors } = (await bad.json()) as { errors: ReadonlyArray<{ field: string }> }
  t.same([bad.status, errors.map(({ field }) => field)], [400, ['contentType', 'fields']])
  for (let n = 0; n < 200; n += 1)
    await done(fixture.ports.workingCopies.put({ ...sampleCopy(n, { email: EDITOR } as never), fields: {} }))
  const more = await fixture.call('PUT', '/console/api/copies/new-1', {
    json: { contentType: 'feed', fields: '{}' },
    headers,
  })
  t.match(await more.json(), { status: 400, errors: [{ field: 'key' }] })
})

onBoth('L1: erasing a manager erases the working copies', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const json = { contentType: 'feed', fields: '{}' }
  await fixture.call('PUT', '/console/api/copies/new-1', { json, headers })
  await done(fixture.ports.personalData.erase(EDITOR, MANAGER_NOW))
  t.same(await done(fixture.ports.workingCopies.find(EDITOR, 'new-1' as never)), O.none)
  await seeProblem(t, await fixture.call('GET', '/console/api/copies', { headers }), 'invalid_session')
})

onBoth('M12: a copy carries a version, and the tab with an older one is refused', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const path = '/console/api/copies/new-1'
  const put = async (version: string) => {
    const json = { contentType: 'library', fields: '{"itemTitle":"x"}', version }
    const answer = await fixture.call('PUT', path, { json, headers })
    return { status: answer.status, body: (await answer.json()) as { copy?: { updatedAt: string } } }
  }
  const first = await put('')
  const version = first.body.copy?.updatedAt ?? ''
  const second = await put(version)
  t.same([first.status, second.status], [200, 200])
  t.not(second.body.copy?.updatedAt, version)
  t.match(await put(version), { status: 412, body: { code: 'precondition_failed' } })
  t.equal((await put('')).status, 412, 'another tab has begun meanwhile')
  t.equal((await put('yesterday')).status, 400)
  const stale = await fixture.call('DELETE', path, { query: { version }, headers })
  t.equal(stale.status, 412)
  const query = { version: second.body.copy?.updatedAt ?? '' }
  t.equal((await fixture.call('DELETE', path, { query, headers })).status, 200)
  t.equal((await put('')).status, 200)
})

interface Image {
  readonly name: string
  readonly url: string
}

/** Returns the requests of a manager about one new item. */
const newItemOf = async (fixture: ConsoleFixture, contentType: 'library' | 'feed' = 'library') => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const path = '/console/api/copies/new-1'
  const store = (place: string, bytes = JPEG) =>
    fixture.call('PUT', `${path}/media/${place}`, { multipart: fileForm({ bytes, name: 'a.jpg' }), headers })
  return {
    headers,
    path,
    store,
    stored: async (place: string, bytes = JPEG) =>
      ((await (await store(place, bytes)).json()) as { image: Image }).image,
    put: (images: Readonly<Record<string, string>>) =>
      fixture.call('PUT', path, {
        json: { contentType, fields: JSON.stringify({ images: JSON.stringify(images) }) },
        headers,
      }),
    remove: () => fixture.call('DELETE', path, { headers }),
    images: async () => {
      const { copy } = (await (await fixture.call('GET', path, { headers })).json()) as {
        copy: { images: Readonly<Record<string, string>> }
      }
      return copy.images
    },
    place: (target: string, name: string) =>
      fixture.call('PUT', `/console/api/${target}`, { json: { name }, headers }),
  }
}

onBoth('D5, M7: images of a new item belong to its working copy, and go to the item', async (t, fixture) => {
  const item = await newItemOf(fixture)
  const cover = await item.stored('cover')
  t.equal(cover.name, nameIn(cover.url))
  t.equal((await served(fixture, cover.url)).status, 200)
  const notification = await item.stored('notification')
  t.equal((await item.put({ cover: cover.name })).status, 200)
  t.same(await item.images(), { [cover.name]: cover.url })
  const id = await newLibraryItem(fixture)
  const placed = await item.place(`library/${id}/media/cover`, cover.name)
  t.match(await placed.json(), { item: { coverImgUrl: cover.url } })
  t.match(placed.headers.get('etag'), /^"/)
  t.equal((await item.place(`library/${id}/media/other`, cover.name)).status, 404)
  t.equal((await item.remove()).status, 200)
  t.same(
    filesIn(fixture),
    [cover.name, notification.name].toSorted(),
    'no second upload, and undo finds both',
  )
  const gone = await done(
    fixture.ports.knownImages.forgetReleased(
      addMillis(fixture.clock.now(), 1),
      addMillis(fixture.clock.now(), 1),
    ),
  )
  t.same(gone, [notification.name], 'which the sweep deletes an hour later')
})

onBoth('D1: an image of a new item must be as uploads to its place must be', async (t, fixture) => {
  const item = await newItemOf(fixture, 'feed')
  t.match(await (await item.store('image')).json(), { status: 400, errors: [{ field: FIELD }] })
  await seeProblem(t, await item.store('image', Buffer.from('GIF89a')), 'unsupported_media_type')
  const empty = await fixture.call('PUT', `${item.path}/media/cover`, { json: {}, headers: item.headers })
  t.equal(empty.status, 400)
  await seeProblem(t, await item.store('visual'), 'not_found')
  const cover = await item.stored('cover')
  const id = await newFeedItem(fixture)
  const wrong = await item.place(`feed/${id}/media`, cover.name)
  t.match(await wrong.json(), { status: 400, errors: [{ field: FIELD }] })
  const post = await item.stored('image', PICTURE)
  const placed = await item.place(`feed/${id}/media`, post.name)
  t.match(await placed.json(), { item: { itemRelatedLink: post.url } })
  t.equal(filesIn(fixture).length, 2)
})

onBoth('I1, C10: placing an image names what is wrong, and honours If-Match', async (t, fixture) => {
  const item = await newItemOf(fixture)
  const cover = await item.stored('cover')
  const id = await newLibraryItem(fixture)
  const path = `library/${id}/media/cover`
  for (const name of ['', 'x', '../a.jpg', cover.name.replace('.jpg', '.png')]) {
    const answer = await item.place(path, name)
    t.match(await answer.json(), { status: 400, errors: [{ field: 'name' }] }, name)
  }
  const stale = await fixture.call('PUT', `/console/api/${path}`, {
    json: { name: cover.name },
    headers: { ...item.headers, 'if-match': '"x"' },
  })
  await seeProblem(t, stale, 'precondition_failed')
  await seeProblem(t, await item.place('library/x/media/cover', cover.name), 'not_found')
})

onBoth('L1, D5: erasing a manager deletes the images of the copies', async (t, fixture) => {
  const item = await newItemOf(fixture)
  const cover = await item.stored('cover')
  await item.put({ cover: cover.name })
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const users = '/console/api/users'
  const found = await fixture.call('POST', `${users}/search`, { json: { address: EDITOR }, headers })
  const [person] = ((await found.json()) as { users: ReadonlyArray<{ user: { number: number } }> }).users
  const erased = await fixture.call('DELETE', `${users}/${person?.user.number}`, { headers })
  t.equal(erased.status, 200)
  t.same(filesIn(fixture), [])
})
