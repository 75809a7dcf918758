import t, { type Test } from 'tap'
import { linkFor, OWN_PAGE, startConsole } from '../support/console.ts'
import { type Send, startFixture } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'
import { concretePaths, FEED_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { imagePath, upload } from '../support/uploads.ts'

// What programs send instead of no body, and what they send around a form (B1, B2).

/** What clients send for no body in JSON. */
const NULLS = ['null', ' null\t', 'null\r\n', '\ufeffnull', '', '  \n']

/** The status and the faulty fields of every route that may have a body, each asked once. */
const answersTo = async (t: Test, send: Send) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  await upload(fixture, imagePath('feed', ids.feed))
  const answers: Array<{ method: string; path: string; status: number; fields: unknown }> = []
  for (const { route, address } of concretePaths(ids)) {
    if (['GET', 'HEAD'].includes(route.method)) continue
    const answer = await fixture.call(route.method, address, { as: 'admin', ...send })
    const text = await answer.text()
    const fields = answer.ok ? [] : (JSON.parse(text) as { errors?: ReadonlyArray<unknown> }).errors
    answers.push({ method: route.method, path: route.path, status: answer.status, fields })
  }
  await fixture.stop()
  return answers
}

t.test('B2: a JSON body null is no body, on every route', async (t) => {
  const without = await answersTo(t, {})
  t.ok(without.length > 15)
  t.ok(without.some(({ method, status }) => method === 'DELETE' && status === 200))
  for (const body of NULLS) {
    const headers = { 'content-type': 'application/json' }
    t.strictSame(await answersTo(t, { headers, body }), without, JSON.stringify(body))
  }
})

t.test('B2: other JSON that is no object is refused', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const itemId = await newFeedItem(fixture)
  for (const body of ['true', '0', '""', '"null"', '[]', '[null]', 'nul', 'NULL', 'nullnull', 'undefined']) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fixture.call('DELETE', `/feed/${itemId}/media/`, { as: 'manager', headers, body })
    await seeProblem(t, answer, 'invalid_request', body)
  }
})

/** Line breaks that files and programs put behind a form. */
const ENDS = ['\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\n\r\n']

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

t.test('B1: line breaks behind a form belong to no parameter', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const token = await fixture.token('manager')
  const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
  const user = { grant_type: 'client_credentials', client_id: 'user' }
  for (const end of ENDS) {
    const about = JSON.stringify(end)
    const post = (path: string, body: string, headers = {}) =>
      fixture.call('POST', path, { headers: { ...FORM, ...headers }, body: `${body}${end}` })
    const secret = form({ ...user, client_secret: fixture.secrets.user ?? '' })
    t.equal((await post('/oauth2/get-token', secret)).status, 200, `the secret of a client, ${about}`)
    const inBody = form({ ...FEED_ITEM, access_token: token })
    t.equal((await post('/feed/', inBody)).status, 200, `a token in the body, ${about}`)
    const scope = form({ ...user, client_secret: fixture.secrets.user ?? '', scope: 'user' })
    t.equal((await post('/oauth2/get-token', scope)).status, 200, `a scope, ${about}`)
    const link = form({ token: await linkFor(fixture, 'editor') })
    t.equal((await post('/console/api/sign-in/link', link, OWN_PAGE)).status, 200, `a sign-in link, ${about}`)
    const { itemDescription: _, ...rest } = FEED_ITEM
    const text = `${form(rest)}&itemDescription=a%0D%0A\nb%0A`
    const answer = await post('/feed/', text, { authorization: `Bearer ${token}` })
    const { item } = (await answer.json()) as { item: { itemDescription: string } }
    t.equal(item.itemDescription, 'a\r\n\nb\n', `line breaks within and encoded ones stay, ${about}`)
  }
  const many = await fixture.call('POST', '/oauth2/get-token', { headers: FORM, body: '\n'.repeat(16_000) })
  t.equal(many.status, 400, 'nothing but line breaks')
})
