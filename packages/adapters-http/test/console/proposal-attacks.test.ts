import { makePurgeProposals } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import { EDITOR, OWN_PAGE, onBoth, onEach, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { liveItem, WHOLE } from '../support/proposals.ts'
import { newLibraryItem } from '../support/samples.ts'
import { filesIn, PICTURE, served } from '../support/uploads.ts'

// C16, as someone would try it who may do less, or is late.

onEach(
  'C16, N1: readers, lists, changes, history and exports of readers show nothing of a proposal',
  async (t, fixture) => {
    const item = await liveItem(fixture)
    const asks = [
      ...['/library/', '/library/?q=secret', item.path, '/feed/'].flatMap((path) =>
        (['user', 'donor', 'manager'] as const).map((as) => ({ path, as })),
      ),
      { path: `${item.path}/history`, as: 'manager' as const },
    ]
    const all = () =>
      Promise.all(
        asks.map(async ({ path, as }) => {
          const answer = await fixture.call('GET', path, { as })
          return [path, as, answer.status, answer.headers.get('etag'), await answer.text()]
        }),
      )
    const changes = async (query: Readonly<Record<string, string>>) =>
      (await (await fixture.call('GET', '/changes', { as: 'manager', query })).json()) as {
        readonly cursor: string
        readonly changes: ReadonlyArray<unknown>
      }
    const { cursor } = await changes({})
    const before = await all()
    const first = await item.proposed(await item.share({ itemTitle: 'A secret' }))
    await item.change(first.proposalId, { publishAt: '1893456000' })
    t.same(await all(), before)
    t.same((await changes({ since: cursor })).changes, [])
    for (const as of ['user', 'donor', 'manager'] as const)
      t.equal((await fixture.call('GET', '/proposals', { as })).status, 404, 'the API has no such path')
  },
)

onBoth('C16: the path of a proposal names one item of one type, and one version', async (t, fixture) => {
  const item = await liveItem(fixture)
  const { proposalId } = await item.proposed(await item.share())
  const other = await liveItem(fixture)
  const call = (method: string, path: string, json: object = {}) =>
    fixture.call(method, `/console/api/proposals/${path}`, {
      ...(method === 'GET' ? {} : { json }),
      headers: item.headers,
    })
  for (const path of [`feed/${item.itemId}`, `library/${other.itemId}`, 'library/unknown']) {
    await seeProblem(t, await call('GET', path), 'not_found', path)
    for (const [method, rest] of [
      ['DELETE', ''],
      ['POST', '/publish'],
      ['POST', '/undo'],
    ] as const)
      await seeProblem(t, await call(method, `${path}/${proposalId}${rest}`), 'not_found', path)
    await seeProblem(t, await call('PUT', `${path}/${proposalId}`, { publishAt: '' }), 'not_found', path)
  }
  await seeProblem(t, await call('GET', `labels/${item.itemId}`), 'not_found')
  await seeProblem(t, await call('GET', `LIBRARY/${item.itemId}`), 'not_found')
  await seeProblem(t, await call('DELETE', `library/${item.itemId}/%00`), 'invalid_request')
  const sneaky = { contentType: 'feed', itemId: other.itemId, proposalId: 'x', publishAt: '' }
  const changed = await call('PUT', `library/${item.itemId}/${proposalId}`, sneaky)
  t.match(
    await changed.json(),
    { proposal: { contentType: 'library', itemId: item.itemId } },
    'B2: paths win',
  )
  await seeProblem(t, await item.discard(proposalId), 'precondition_failed', 'an earlier version')
  await seeProblem(t, await item.illustrate(proposalId, 'cover'), 'precondition_failed')
  t.same(filesIn(fixture), [])
})

onBoth(
  'C16: fields carry nothing but fields: no state, schedule, reason, prototype or other item',
  async (t, fixture) => {
    const item = await liveItem(fixture)
    const other = await newLibraryItem(fixture)
    const fields = JSON.stringify({
      ...WHOLE.library,
      itemId: other,
      status: 'Archived',
      archiveAt: '1',
      reason: 'x',
    })
    const odd = `${fields.slice(0, -1)},"__proto__":"x","constructor":"y","proposalId":"z"}`
    const shared = await item.send('POST', '', { fields: odd })
    const { proposalId, state } = await item.proposed(shared)
    t.match(state, { status: 'Live' })
    t.notOk(
      ['archiveAt', 'publishAt', 'reason', 'constructor', 'proposalId'].some((name) =>
        Object.hasOwn(state, name),
      ),
    )
    t.equal((await item.publish(proposalId)).status, 200)
    t.match(await item.item(), { itemId: item.itemId, status: 'Live' })
    for (const bad of ['[]', '{"itemTitle":1}', 'null', '"x"', '{', ' '.repeat(262_145)]) {
      const { errors } = await seeProblem(t, await item.send('POST', '', { fields: bad }), 'invalid_request')
      t.same(
        errors?.map(({ field }) => field),
        ['fields'],
      )
    }
    await seeProblem(t, await item.send('POST', '', { fields: 'x'.repeat(2_000_000) }), 'content_too_large')
  },
)

onEach('C16: of two who publish, or publish and discard, one succeeds', async (t, fixture) => {
  const item = await liveItem(fixture)
  const first = await item.proposed(await item.share())
  const both = await Promise.all([item.publish(first.proposalId), item.publish(first.proposalId)])
  t.same(both.map(({ status }) => status === 200).sort(), [false, true])
  t.ok(both.every(({ status }) => [200, 404, 412].includes(status)))
  const etag = both.find(({ status }) => status === 200)?.headers.get('etag') ?? ''
  const next = await item.proposed(await item.share({ itemTitle: 'Next' }, {}, etag))
  const ends = await Promise.all([item.publish(next.proposalId, etag), item.discard(next.proposalId)])
  t.equal(ends.filter(({ status }) => status === 200).length, 1)
  const isPublished = ends[0]?.status === 200
  t.equal((await item.item())['itemTitle'] === 'Next', isPublished)
  t.same(await item.list(), [])
  const present = (await fixture.call('GET', item.path, { as: 'manager' })).headers.get('etag') ?? ''
  const rivals = await Promise.all([1, 2, 3].map((n) => item.share({ itemTitle: `Rival ${n}` }, {}, present)))
  t.same(rivals.map(({ status }) => status).sort(), [200, 409, 409])
})

onEach('C16, J7: another language is refused once the item has a counterpart', async (t, fixture) => {
  const item = await liveItem(fixture)
  const { proposalId } = await item.proposed(await item.share({ lang: 'fr' }))
  const counterpartId = await newLibraryItem(fixture, { lang: 'fr' })
  const linked = await fixture.call('PUT', `${item.path}/translation`, {
    as: 'manager',
    json: { counterpartId },
  })
  t.equal(linked.status, 200)
  const etag = (await fixture.call('GET', item.path, { as: 'manager' })).headers.get('etag') ?? ''
  const refused = await item.publish(proposalId, etag)
  t.ok([409, 412].includes(refused.status), String(refused.status))
  t.match(await item.item(), { lang: 'en' })
  t.match(await item.list(), [{ proposal: { lang: 'fr' } }], 'it stays')
})

onBoth(
  'C16, A3: a proposal for an item that is restricted meanwhile does not open it to readers',
  async (t, fixture) => {
    const item = await liveItem(fixture)
    const { proposalId } = await item.proposed(await item.share())
    const restricted = await item.update({ isDonorRestricted: '1' })
    await seeProblem(t, await item.publish(proposalId, restricted), 'precondition_failed')
    const archived = await item.update({ status: 'Archived' })
    await seeProblem(t, await item.publish(proposalId, archived), 'precondition_failed')
    const fields = { itemTitle: 'Rewritten' }
    const merged = await item.change(proposalId, { fields }, archived)
    t.match((await seeProblem(t, merged, 'illegal_move')).detail, /Live/)
    t.same(await item.item(), {})
    t.equal((await item.discard(proposalId)).status, 200, 'it can be discarded all the same')
    t.equal((await item.undo(proposalId)).status, 200)
    t.match(await item.list(), [{ proposal: { isCurrent: false } }])
  },
)

onBoth('D5, C16: an image of a proposal stays while it is named, and goes with it', async (t, fixture) => {
  const item = await liveItem(fixture)
  const text = await item.proposed(await item.share())
  const whole = await item.proposed(await item.illustrate(text.proposalId, 'cover', PICTURE))
  const url = whole.state['coverImgUrl'] ?? ''
  t.equal((await served(fixture, url)).status, 200)
  const other = await liveItem(fixture)
  const taken = await other.proposed(await other.share({ coverImgUrl: url }))
  await item.discard(whole.proposalId)
  fixture.clock.advance(3_600_001)
  await done(makePurgeProposals(fixture.ports)())
  t.equal((await served(fixture, url)).status, 200, 'another proposal names it')
  t.equal((await other.publish(taken.proposalId)).status, 200)
  t.match(await other.item(), { coverImgUrl: url })
  const lost = await item.share({ coverImgUrl: url.replace(/[^/]+$/, `${'A'.repeat(22)}.png`) })
  const { errors } = await seeProblem(t, lost, 'invalid_request')
  t.same(
    errors?.map(({ field }) => field),
    ['coverImgUrl'],
  )
})

onEach(
  'A9, L1: a manager who is disabled or erased proposes nothing, and the name goes',
  async (t, fixture) => {
    const item = await liveItem(fixture)
    const { proposalId } = await item.proposed(await item.share())
    await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
    await seeProblem(t, await item.publish(proposalId), 'invalid_session')
    await seeProblem(t, await item.show(), 'invalid_session')
    const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
    const shown = await fixture.call('GET', `/console/api/proposals${item.path}`, { headers })
    t.match(await shown.json(), { proposal: { proposalId, by: null, isOwn: false } })
    const second = await fixture.call('POST', `/console/api/proposals${item.path}`, {
      ...{ headers, json: { fields: JSON.stringify(WHOLE.library) } },
    })
    t.notMatch((await seeProblem(t, second, 'illegal_move')).detail, /person/)
    for (const page of [{}, { 'sec-fetch-site': 'cross-site' }]) {
      const path = `/console/api/proposals${item.path}/${proposalId}/publish`
      const forged = await fixture.call('POST', path, {
        headers: { cookie: headers.cookie, ...page },
        json: {},
      })
      await seeProblem(t, forged, 'cross_site')
    }
  },
)
