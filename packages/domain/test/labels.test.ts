import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { fieldsOf, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  donor,
  everythingIn,
  type Fixture,
  feedDraft,
  feedLive,
  libraryDraft,
  libraryLive,
  manager,
  newFixture,
  user,
} from './fixtures/fixture.ts'

const label = (labelId: string) => ({ labelId, en: `${labelId} in English`, fr: `${labelId} en français` })
const FILE = [label('water'), label('health'), label('arts')]

const fixtureWithLabels = async (policy: Partial<domain.Policy> = {}) => {
  const fixture = newFixture(policy)
  await done(fixture.act.loadLabels(FILE))
  return fixture
}

const labelIds = async (
  { act }: Fixture,
  contentType: domain.ContentType,
  caller: domain.Caller,
  raw: domain.RawParameters = {},
) =>
  (await done(act.listLabels(contentType)(caller, read(domain.ListLabels, raw)))).map(
    ({ labelId }) => labelId,
  )

const on = (itemId: string, labelId: string) => read(domain.ItemAndLabel, { itemId, labelId })

/** For each content type: an item that users see, one that only donors see, and one that only managers see. */
const CONTENT_TYPES = [
  { contentType: 'library', live: libraryLive, draft: libraryDraft },
  { contentType: 'feed', live: feedLive, draft: feedDraft },
] as const

t.test('E1: the label set becomes that of the file, in its order', async (t) => {
  const fixture = await fixtureWithLabels()
  t.same(await done(fixture.ports.labels.all()), FILE)
  const noFollowers = { people: 0, everything: 0 }
  t.same(await done(fixture.act.loadLabels([label('arts'), label('sport')])), { labels: 2, ...noFollowers })
  t.same(await labelIds(fixture, 'feed', user), ['arts', 'sport'])
  t.same(await done(fixture.act.loadLabels([])), { labels: 0, ...noFollowers })
})

t.test('E1: a load that omits an attached label fails and names it', async (t) => {
  const fixture = await fixtureWithLabels()
  const item = await libraryDraft(fixture)
  await done(fixture.act.attachLabel('library')(manager, on(item.id, 'health')))
  const before = await everythingIn(fixture)
  const refused = await fixture.act.loadLabels([label('water')])()
  t.same(refused, E.left({ _tag: 'LabelsInUse', labelIds: ['health'] }))
  t.same(await everythingIn(fixture), before)
})

const faultsOf = async (file: unknown) => {
  const refused = await newFixture().act.loadLabels(file)()
  return E.isLeft(refused) && refused.left._tag === 'ValidationFailed' ? fieldsOf(refused.left.errors) : []
}

t.test(
  'E1: a file is validated as a whole, each bad row is named by its position, and nothing changes',
  async (t) => {
    const rows = [label('a'), { labelId: 'b' }, null, ['c'], 'd', { ...label('e'), fr: ' ' }, label('a'), {}]
    const named = [
      '[1].en',
      '[1].fr',
      '[2]',
      '[3]',
      '[4]',
      '[5].fr',
      '[7].labelId',
      '[7].en',
      '[7].fr',
      '[6].labelId',
    ]
    t.same((await faultsOf(rows)).toSorted(), named.toSorted())
    for (const file of [{}, null, 'labels', 5]) t.same(await faultsOf(file), ['file'])
    const fixture = await fixtureWithLabels()
    t.equal(await failure(fixture.act.loadLabels([label('x'), {}])), 'ValidationFailed')
    t.same(await done(fixture.ports.labels.all()), FILE)
  },
)

t.test(
  'E1, E2: a label id that does not fit into a path, so that it could not be detached, is a bad row',
  async (t) => {
    t.same(await faultsOf(['.', '..', '...'].map(label)), ['[0].labelId', '[1].labelId'])
  },
)

t.test('without filters all labels are returned, with labelId only that one', async (t) => {
  const fixture = await fixtureWithLabels()
  for (const { contentType } of CONTENT_TYPES) {
    t.same(await labelIds(fixture, contentType, user), ['water', 'health', 'arts'])
    t.same(await labelIds(fixture, contentType, user, { labelId: 'health' }), ['health'])
    t.same(await labelIds(fixture, contentType, user, { labelId: 'unknown' }), [], 'E2')
  }
})

t.test(
  'E2: attaching twice has the effect of attaching once and returns the label; detaching removes it',
  async (t) => {
    const fixture = await fixtureWithLabels()
    for (const { contentType, live } of CONTENT_TYPES) {
      const { id } = await live(fixture)
      const [attach, detach] = [fixture.act.attachLabel(contentType), fixture.act.detachLabel(contentType)]
      t.same(await done(attach(manager, on(id, 'health'))), label('health'))
      t.same(await done(attach(manager, on(id, 'health'))), label('health'))
      await done(attach(manager, on(id, 'water')))
      t.same(await labelIds(fixture, contentType, user, { itemId: id }), ['water', 'health'])
      t.same(await labelIds(fixture, contentType, user, { itemId: id, labelId: 'health' }), ['health'])
      t.same(
        await labelIds(fixture, contentType, user, { itemId: id, labelId: 'arts' }),
        [],
        'only if the item has the label',
      )
      await done(detach(manager, on(id, 'health')))
      t.same(await labelIds(fixture, contentType, user, { itemId: id }), ['water'])
    }
  },
)

t.test('E2: an unknown item or label, and detaching an unattached label, are not found', async (t) => {
  const fixture = await fixtureWithLabels()
  for (const { contentType, draft } of CONTENT_TYPES) {
    const { id } = await draft(fixture)
    const before = await everythingIn(fixture)
    for (const change of [fixture.act.attachLabel(contentType), fixture.act.detachLabel(contentType)]) {
      t.equal(await failure<unknown>(change(manager, on('unknown', 'water'))), 'ItemNotFound')
      t.equal(await failure<unknown>(change(manager, on(id, 'unknown'))), 'LabelNotFound')
    }
    t.equal(await failure(fixture.act.detachLabel(contentType)(manager, on(id, 'water'))), 'LabelNotFound')
    t.same(await everythingIn(fixture), before)
  }
})

t.test('E2: an unknown item and a hidden one have no labels', async (t) => {
  const fixture = await fixtureWithLabels()
  for (const { contentType, live, draft } of CONTENT_TYPES) {
    const [restricted, hidden] = [await live(fixture, { isDonorRestricted: '1' }), await draft(fixture)]
    for (const { id } of [restricted, hidden])
      await done(fixture.act.attachLabel(contentType)(manager, on(id, 'arts')))
    const seenBy = async (caller: domain.Caller) =>
      Promise.all(
        [restricted.id, hidden.id, 'unknown'].map((itemId) =>
          labelIds(fixture, contentType, caller, { itemId }),
        ),
      )
    t.same(await seenBy(user), [[], [], []])
    t.same(await seenBy(donor), [['arts'], [], []])
    t.same(await seenBy(manager), [['arts'], ['arts'], []])
  }
})

t.test('C9, E2: under an embargo the labels of an item are hidden before its day', async (t) => {
  const fixture = await fixtureWithLabels({ embargo: true })
  const { id } = await libraryLive(fixture, { itemPublicationDate: '2026-01-02' })
  await done(fixture.act.attachLabel('library')(manager, on(id, 'arts')))
  t.same(await labelIds(fixture, 'library', user, { itemId: id }), [])
  fixture.clock.set(domain.instant(Date.UTC(2026, 0, 2)))
  t.same(await labelIds(fixture, 'library', user, { itemId: id }), ['arts'])
})

t.test('C10: labels neither change nor need ETags', async (t) => {
  const fixture = await fixtureWithLabels()
  const item = await libraryDraft(fixture)
  await done(fixture.act.attachLabel('library')(manager, on(item.id, 'arts')))
  await done(fixture.act.detachLabel('library')(manager, on(item.id, 'arts')))
  t.same(await done(fixture.ports.libraryItems.find(item.id)), O.some(item))
})

t.test('a task of the in-memory adapters reads when it runs, not when it is created', async (t) => {
  const fixture = newFixture()
  const before = [fixture.ports.labels.all(), fixture.act.listLabels('feed')(user, {})]
  await done(fixture.act.loadLabels(FILE))
  for (const task of before) t.same(await done(task), FILE)
})
