import { DEFAULT_POLICY } from '@almoner/domain'
import { makeRunProposals } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import type { Test } from 'tap'
import { OWN_PAGE, onBoth, onEach, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { liveItem, WHOLE } from '../support/proposals.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'
import { filesIn, PICTURE, served } from '../support/uploads.ts'

const seeMove = async (t: Test, response: Response, detail: RegExp) =>
  t.match((await seeProblem(t, response, 'illegal_move')).detail, detail)

for (const contentType of ['library', 'feed'] as const)
  onEach(
    `C16: a rewrite of a ${contentType} item is shared with all managers and published as one revision`,
    async (t, fixture) => {
      const item = await liveItem(fixture, contentType)
      const before = await item.item()
      const image = contentType === 'library' ? 'cover' : 'image'
      const shared = await item.share({ itemTitle: 'Rewritten', status: 'Draft', publishAt: '9' })
      t.equal(shared.status, 200)
      const first = await item.proposed(shared)
      const { title, lang } = { title: 'Rewritten', lang: 'en' }
      t.match(first, {
        contentType,
        itemId: item.itemId,
        by: { kind: 'person' },
        publishAt: '',
        failure: null,
      })
      t.match([first.base['itemTitle'], first.state['itemTitle']], [before['itemTitle'], title])
      const whole = await item.proposed(await item.illustrate(first.proposalId, image, PICTURE))
      t.not(whole.proposalId, first.proposalId)
      t.same(await item.item(), before, 'readers see nothing of it')
      t.notMatch(await item.item('manager'), { itemTitle: title })
      const colleague = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
      const listed = await fixture.call('GET', '/console/api/proposals', { headers: colleague })
      t.match(await listed.json(), {
        proposals: [
          { proposal: { proposalId: whole.proposalId, title, lang, isCurrent: true, isOwn: false } },
        ],
      })
      t.match(await (await item.show()).json(), { proposal: { ...whole, isCurrent: true, isOwn: true } })
      await seeProblem(t, await item.publish(first.proposalId), 'precondition_failed')
      await seeProblem(t, await item.publish(whole.proposalId, '"x"'), 'precondition_failed')
      const published = await item.publish(whole.proposalId)
      t.equal(published.status, 200)
      const after = await item.item()
      t.match(await published.json(), { item: after })
      t.match(after, { itemTitle: title, status: 'Live' })
      t.equal((await served(fixture, after['itemRelatedLink'] ?? '')).status, 200)
      t.not(after['itemRelatedLink'], before['itemRelatedLink'])
      const history = await fixture.call('GET', `${item.path}/history`, { as: 'manager' })
      t.match(await history.json(), { history: [{ revision: { action: 'publish-proposal' } }] })
      await seeProblem(t, await item.show(), 'not_found')
      t.same(await item.list(), [])
    },
  )

onBoth(
  'C16: a second proposal is refused and names the first; only Live items have any',
  async (t, fixture) => {
    const item = await liveItem(fixture)
    const first = await item.proposed(await item.share())
    await seeMove(
      t,
      await item.share({ itemTitle: 'Mine' }),
      new RegExp(`${first.proposalId}, made by person \\d`),
    )
    await seeProblem(t, await item.share({}, {}, '"x"'), 'precondition_failed')
    const other = await liveItem(fixture)
    const draft = await other.update({ status: 'Draft' })
    await seeMove(t, await other.share({}, {}, draft), /Live/)
    const bad = await item.change(first.proposalId, {
      fields: { itemTitle: '', link: 'x' },
      publishAt: 'soon',
    })
    const { errors } = await seeProblem(t, bad, 'invalid_request')
    t.same(
      errors?.map(({ field }) => field),
      ['publishAt'],
      'the form of the request first',
    )
    t.match(await (await item.change(first.proposalId, {})).json(), {
      errors: [{ field: 'fields', message: 'is required unless publishAt is given' }],
    })
    const fields = await item.change(first.proposalId, { fields: { itemTitle: '', link: 'x' } })
    t.same(
      (await seeProblem(t, fields, 'invalid_request')).errors?.map(({ field }) => field),
      ['itemTitle', 'link'],
    )
    await seeProblem(t, await item.illustrate(first.proposalId, 'visual'), 'not_found')
    t.match(await (await item.illustrate(first.proposalId, 'image')).json(), { errors: [{ field: 'image' }] })
    t.same(filesIn(fixture), [], 'nothing was stored')
  },
)

onBoth('C16: a merge makes the present item the base of a proposal', async (t, fixture) => {
  const item = await liveItem(fixture)
  const first = await item.proposed(await item.share())
  const etag = await item.update({ link: 'https://example.org/moved' })
  t.match(await (await item.show()).json(), { proposal: { isCurrent: false } })
  await seeProblem(t, await item.publish(first.proposalId, etag), 'precondition_failed')
  await seeProblem(t, await item.change(first.proposalId, { publishAt: '' }, etag), 'precondition_failed')
  const fields = { itemTitle: 'Rewritten', link: 'https://example.org/moved' }
  await seeProblem(t, await item.change(first.proposalId, { fields }), 'precondition_failed')
  const merged = await item.proposed(await item.change(first.proposalId, { fields }, etag))
  t.match(merged.base, { link: 'https://example.org/moved' })
  t.equal((await item.publish(merged.proposalId, etag)).status, 200)
  t.match(await item.item(), fields)
})

onBoth('C16, M12: discarding and publishing can be undone for an hour', async (t, fixture) => {
  const item = await liveItem(fixture)
  const { proposalId } = await item.proposed(await item.share())
  t.match(await (await item.discard(proposalId)).json(), { proposal: { proposalId } })
  await seeProblem(t, await item.discard(proposalId), 'not_found')
  t.match(await (await item.undo(proposalId)).json(), { proposal: { proposalId } })
  await seeMove(t, await item.undo(proposalId), /already/)
  const published = await item.publish(proposalId)
  const headers = { ...item.headers, 'if-match': published.headers.get('etag') ?? '' }
  t.equal((await fixture.call('POST', `/console/api${item.path}/undo`, { headers })).status, 200)
  t.equal((await item.undo(proposalId)).status, 200)
  t.match(await (await item.show()).json(), { proposal: { proposalId, isCurrent: true } })
  await item.discard(proposalId)
  fixture.clock.advance(3_600_001)
  await seeProblem(t, await item.undo(proposalId), 'not_found', 'an hour later')
})

onBoth('C16: a proposal has a moment, and says why it was not published then', async (t, fixture) => {
  const item = await liveItem(fixture)
  const at = Math.floor(fixture.clock.now() / 1000) + 600
  const shared = await item.proposed(await item.share({ itemTitle: 'Later' }, { publishAt: String(at) }))
  t.equal(shared.publishAt, new Date(at * 1000).toISOString())
  const query = { include: 'schedule' }
  const planned = await fixture.call('GET', '/library/', { as: 'manager', query })
  t.match(await planned.json(), { items: [{ item: { schedule: { publishAt: '', archiveAt: '' } } }] })
  const cleared = await item.proposed(await item.change(shared.proposalId, { publishAt: '' }))
  t.equal(cleared.publishAt, '')
  await item.change(cleared.proposalId, { publishAt: String(at) })
  await item.update({ link: 'https://example.org/moved' })
  fixture.clock.advance(600_000)
  await done(makeRunProposals(fixture.ports, DEFAULT_POLICY)())
  t.match(await item.list(), [
    { proposal: { publishAt: '', isCurrent: false, failure: { missing: ['revision'] } } },
  ])
  t.match(await item.item(), { itemTitle: LIBRARY_ITEM.itemTitle })
  const desk = await fixture.call('GET', '/console/api/desk', { headers: item.headers })
  t.match(await desk.json(), {
    desk: {
      proposals: { count: 1, first: [{ proposal: { title: 'Later', failure: { missing: ['revision'] } } }] },
    },
  })
})

onBoth('I4: proposing and publishing with a key happen once', async (t, fixture) => {
  const item = await liveItem(fixture)
  const key = { 'idempotency-key': 'once' }
  const share = () =>
    item.send('POST', '', { fields: JSON.stringify(WHOLE.library) }, { ...key, 'if-match': item.etag })
  const first = await item.proposed(await share())
  const again = await share()
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same(await item.proposed(again), first)
  const publish = () => item.publish(first.proposalId, item.etag, { 'idempotency-key': 'twice' })
  const published = await publish()
  const replayed = await publish()
  t.equal(replayed.headers.get('etag'), published.headers.get('etag'))
  t.same(await replayed.json(), await published.json())
})
