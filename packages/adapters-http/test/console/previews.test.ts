import type { Policy } from '@almoner/domain'
import type { PreviewUrl } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { API_ROUTES } from '../../src/index.ts'
import { type ConsoleFixture, EDITOR, OWN_PAGE, onEach, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { FEED_ITEM, LIBRARY_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { fileForm } from '../support/uploads.ts'

const TEMPLATE = 'https://app.example.org/preview/{kind}#{id}.{token}' as PreviewUrl
const POLICY: Partial<Policy> = { previewUrl: O.some(TEMPLATE) }

/** A server with real secrets, an app, and a manager who is signed in. */
const OPTIONS = { policy: POLICY, realSecrets: true, corsOrigins: ['https://app.example.org'] }

/** Makes a preview and returns its token. */
const preview = async (fixture: ConsoleFixture, cookie: string, path: string, text = 'item') => {
  const made = await fixture.call('POST', `/console/api${path}/preview`, {
    headers: { ...OWN_PAGE, cookie },
    json: { text },
  })
  const { preview } = (await made.json()) as { readonly preview: { readonly url: string } }
  return preview.url.slice(preview.url.indexOf('.preview.') + 1)
}

const show = (fixture: ConsoleFixture, path: string, token: string, method = 'GET') =>
  fixture.call(method, path, { headers: { authorization: `Bearer ${token}` } })

const itemsIn = async (response: Response) =>
  ((await response.json()) as { items: ReadonlyArray<{ item: Record<string, string> }> }).items

onEach(
  'A11: an app shows a Draft as it would look when Live, without any trace in caches',
  async (t, fixture) => {
    const cookie = await signIn(fixture, 'editor')
    const path = `/library/${await newLibraryItem(fixture)}`
    const upload = await fixture.call('POST', `${path}/media/cover`, { as: 'manager', multipart: fileForm() })
    t.equal(upload.status, 200)
    const before = await itemsIn(await fixture.call('GET', path, { as: 'manager' }))
    const token = await preview(fixture, cookie, path)
    for (const send of [
      () => show(fixture, path, token),
      () => show(fixture, `${path}/`, token),
      () => fixture.call('GET', path, { query: { access_token: token } }),
      () =>
        fixture.call('GET', path, {
          headers: { authorization: `Bearer ${token}`, origin: 'https://app.example.org' },
        }),
    ]) {
      const shown = await send()
      t.equal(shown.status, 200)
      t.equal(shown.headers.get('cache-control'), 'no-store')
      t.equal(shown.headers.get('referrer-policy'), 'no-referrer')
      t.equal(shown.headers.get('etag'), null)
      t.same(await itemsIn(shown), [{ item: { ...before[0]?.item, status: 'Live' } }])
    }
    const head = await show(fixture, path, token, 'HEAD')
    t.same([head.status, head.headers.get('cache-control'), await head.text()], [200, 'no-store', ''])
    const cover = new URL(before[0]?.item['coverImgUrl'] ?? '').pathname
    t.equal((await show(fixture, cover, token)).status, 200, 'its images')
    // What readers and managers get is untouched.
    t.same(await itemsIn(await fixture.call('GET', path, { as: 'user' })), [])
    t.same(await itemsIn(await fixture.call('GET', path, { as: 'manager' })), before)
    t.notOk(fixture.lines.join('\n').includes(token), 'no token in the log')
    t.notOk(fixture.lines.join('\n').includes(token.slice('preview.'.length)))
  },
  OPTIONS,
)

onEach(
  'A11: an app shows what a manager has typed, and nobody else sees it',
  async (t, fixture) => {
    const cookie = await signIn(fixture, 'editor')
    const itemId = await newFeedItem(fixture)
    const path = `/feed/${itemId}`
    const put = (fields: object) =>
      fixture.call('PUT', `/console/api/copies/${itemId}`, {
        headers: { ...OWN_PAGE, cookie },
        json: { contentType: 'feed', fields: JSON.stringify(fields) },
      })
    await put({ ...FEED_ITEM, itemTitle: 'Typed' })
    const token = await preview(fixture, cookie, path, 'copy')
    t.match(await itemsIn(await show(fixture, path, token)), [
      { item: { itemTitle: 'Typed', status: 'Live' } },
    ])
    t.match(await itemsIn(await fixture.call('GET', path, { as: 'manager' })), [
      { item: { itemTitle: FEED_ITEM.itemTitle, status: 'Draft' } },
    ])
    await put({ ...FEED_ITEM, itemTitle: 'Typed again' })
    t.match(await itemsIn(await show(fixture, path, token)), [{ item: { itemTitle: 'Typed again' } }])
    await put({ ...FEED_ITEM, itemTitle: '', link: 'nowhere' })
    t.same(await itemsIn(await show(fixture, path, token)), [])
    const headers = { ...OWN_PAGE, cookie }
    const make = { headers, json: { text: 'copy' } }
    const refused = await seeProblem(
      t,
      await fixture.call('POST', `/console/api${path}/preview`, make),
      'invalid_request',
    )
    t.same(refused.errors?.map(({ field }) => field).sort(), ['itemTitle', 'link'])
    const operator = { ...OWN_PAGE, cookie: await signIn(fixture, 'operator') }
    const others = await fixture.call('POST', `/console/api${path}/preview`, { ...make, headers: operator })
    await seeProblem(t, others, 'not_found', 'the copy of another manager')
  },
  OPTIONS,
)

onEach(
  'A11: a preview token opens one item by path, and everything else is 401',
  async (t, fixture) => {
    const cookie = await signIn(fixture, 'editor')
    const [itemId, feedId] = [await newLibraryItem(fixture), await newFeedItem(fixture)]
    const token = await preview(fixture, cookie, `/library/${itemId}`)
    const filled = (path: string): string =>
      path.replace(/:itemId/, itemId).replaceAll(/:[A-Za-z]+(?:\([^)]*\))?/g, 'cover')
    for (const { method, path, operation } of API_ROUTES) {
      const answer = await fixture.call(method, filled(path), {
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'GET' ? {} : { json: LIBRARY_ITEM }),
      })
      t.equal(answer.status, operation === 'getLibraryItem' ? 200 : 401, `${method} ${path}`)
    }
    for (const path of [
      `/library/${await newLibraryItem(fixture)}`,
      `/feed/${feedId}`,
      `/library/?itemId=${itemId}`,
      `/library/${itemId}/label`,
      `/console/api/library/${itemId}`,
    ])
      t.equal((await show(fixture, path, token)).status, 401, path)
    t.equal((await show(fixture, `/library/${itemId}`, `${token}x`)).status, 401)
    t.equal((await show(fixture, `/library/${itemId}`, 'preview.')).status, 401)
    const twice = await fixture.call('GET', `/library/${itemId}`, {
      headers: { authorization: `Bearer ${token}` },
      query: { access_token: token },
    })
    await seeProblem(t, twice, 'invalid_request', 'two tokens')
    const inCookie = { headers: { cookie: `token=${token}` } }
    t.equal((await fixture.call('GET', `/library/${itemId}`, inCookie)).status, 401)
  },
  OPTIONS,
)

onEach(
  'A9, A11: previews end after 15 minutes, on signing out, disabling and erasure',
  async (t, fixture) => {
    const path = `/library/${await newLibraryItem(fixture)}`
    const old = await preview(fixture, await signIn(fixture, 'editor'), path)
    fixture.clock.advance(15 * 60_000)
    await seeProblem(t, await show(fixture, path, old), 'invalid_token')
    const cookie = await signIn(fixture, 'editor')
    const [first, other] = [
      await preview(fixture, cookie, path),
      await preview(fixture, await signIn(fixture, 'editor'), path),
    ]
    const out = await fixture.call('DELETE', '/console/api/session', { headers: { ...OWN_PAGE, cookie } })
    t.equal(out.status, 200)
    await seeProblem(t, await show(fixture, path, first), 'invalid_token')
    t.equal((await show(fixture, path, other)).status, 200, 'another session goes on')
    await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
    await seeProblem(t, await show(fixture, path, other), 'invalid_token')
    const operator = await preview(fixture, await signIn(fixture, 'operator'), path)
    await done(fixture.ports.managers.change(EDITOR, { disabled: false, duty: 'operator' }))
    await done(fixture.ports.personalData.erase('operator@example.org' as typeof EDITOR, fixture.clock.now()))
    await seeProblem(t, await show(fixture, path, operator), 'invalid_token')
  },
  OPTIONS,
)

onEach('A11: without an app there are no previews, and the console knows', async (t, fixture) => {
  const headers = { ...OWN_PAGE, cookie: await signIn(fixture, 'editor') }
  const path = `/console/api/library/${await newLibraryItem(fixture)}/preview`
  await seeProblem(t, await fixture.call('POST', path, { headers, json: {} }), 'not_found')
  const session = await fixture.call('GET', '/console/api/session', { headers })
  t.match(await session.json(), { session: { previews: false } })
})
