import { makeLoadLabels } from '@almoner/domain/content'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { done, type Fixture, LABELS, type Send, startFixture, type Who } from '../support/fixture.ts'
import { create, createLive, type Fields, onEachStore } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// Labels in the interface. Feed labels follow the same rules as library labels, so every test runs on both content types.

const WATER = { label: { labelId: 'water', en: 'Water', fr: 'Eau' } }
const HEALTH = { label: { labelId: 'health', en: 'Health', fr: 'Santé' } }
const ALL = [WATER, HEALTH]

const get = async (
  fixture: Fixture,
  path: string,
  query: Record<string, string> = {},
  as: Who = 'user',
): Promise<unknown> => {
  const answer = await fixture.call('GET', path, { as, query })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  return answer.json()
}

const attach = (fixture: Fixture, path: string, labelId: unknown, send: Send = {}) =>
  fixture.call('POST', path, { as: 'manager', json: { labelId }, ...send })

const detach = (fixture: Fixture, path: string, labelId: string, send: Send = {}) =>
  fixture.call('DELETE', `${path}/${labelId}`, { as: 'manager', ...send })

for (const contentType of ['library', 'feed'] as const) {
  const all = `/${contentType}/label`
  const pathOf = (itemId: string) => `/${contentType}/${itemId}/label`

  onEachStore(
    t,
    `E1: GET ${all} returns all labels, as a bare array of label objects, in the order of the file`,
    async (t, fixture) => {
      const answer = await fixture.call('GET', all, { as: 'user' })
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      t.strictSame(await answer.json(), ALL)
      t.strictSame(await get(fixture, `${all}/`), ALL, 'B3: with a slash')
      await done(makeLoadLabels(fixture.ports)([...LABELS].reverse()))
      t.strictSame(await get(fixture, all), [HEALTH, WATER], 'another order of the file')
      await done(makeLoadLabels(fixture.ports)([]))
      t.strictSame(await get(fixture, all), [], 'an empty file')
    },
  )

  onEachStore(
    t,
    `interface: ${all} with labelId, in path or parameter, returns only that label`,
    async (t, fixture) => {
      t.strictSame(await get(fixture, `${all}/health`), [HEALTH])
      t.strictSame(await get(fixture, all, { labelId: 'health' }), [HEALTH])
      t.strictSame(await get(fixture, `${all}/water`, { labelId: 'health' }), [WATER], 'B2: the path wins')
      t.strictSame(await get(fixture, all, { labelId: '' }), ALL, 'empty is absent')
      for (const unknown of ['none', 'Water', ' water', '%F0%9F%9A%B0']) {
        t.strictSame(await get(fixture, `${all}/${unknown}`), [], 'E2: an unknown label is []')
        t.strictSame(await get(fixture, all, { labelId: unknown }), [])
      }
    },
  )

  onEachStore(
    t,
    `interface: with itemId, in path or parameter, returns the labels of that ${contentType} item`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      const other = await createLive(fixture, contentType)
      const forms: ReadonlyArray<[string, Record<string, string>]> = [
        [pathOf(itemId), {}],
        [all, { itemId }],
        [pathOf(itemId), { itemId: other.itemId }],
      ]
      for (const [path, query] of forms) t.strictSame(await get(fixture, path, query), [], 'none yet')
      await attach(fixture, pathOf(itemId), 'health')
      for (const [path, query] of forms) t.strictSame(await get(fixture, path, query), [HEALTH])
      await attach(fixture, pathOf(itemId), 'water')
      for (const [path, query] of forms)
        t.strictSame(await get(fixture, path, query), ALL, 'in the order of the file')
      t.strictSame(await get(fixture, pathOf(other.itemId)), [], 'another item has its own labels')
    },
  )

  onEachStore(
    t,
    `interface: with itemId and labelId, returns the label only if the ${contentType} item has it`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      await attach(fixture, pathOf(itemId), 'health')
      for (const [path, query] of [
        [pathOf(itemId), {}],
        [all, { itemId }],
      ] as const) {
        t.strictSame(await get(fixture, path, { ...query, labelId: 'health' }), [HEALTH])
        t.strictSame(await get(fixture, path, { ...query, labelId: 'water' }), [])
        t.strictSame(await get(fixture, path, { ...query, labelId: 'none' }), [])
      }
      t.strictSame(await get(fixture, `${all}/health`, { itemId }), [HEALTH])
      t.strictSame(await get(fixture, `${all}/water`, { itemId }), [])
    },
  )

  onEachStore(
    t,
    `E1: attaching to a ${contentType} item returns the label; B1: in every encoding`,
    async (t, fixture) => {
      const form = new FormData()
      form.append('labelId', 'water')
      for (const send of [
        { json: { labelId: 'water' } },
        { form: { labelId: 'water' } },
        { multipart: form },
        { query: { labelId: 'water' } },
      ] satisfies ReadonlyArray<Send>) {
        const { itemId } = await createLive(fixture, contentType)
        const answer = await fixture.call('POST', pathOf(itemId), { as: 'manager', ...send })
        t.equal(answer.status, 200)
        t.strictSame(await answer.json(), WATER)
        t.strictSame(await get(fixture, pathOf(itemId)), [WATER])
      }
    },
  )

  onEachStore(
    t,
    `interface: attaching to a ${contentType} item needs itemId and labelId, the path wins`,
    async (t, fixture) => {
      const one = await createLive(fixture, contentType)
      const other = await createLive(fixture, contentType)
      for (const labelId of [undefined, '', null])
        t.strictSame(
          fieldsOf(
            await seeProblem(t, await attach(fixture, pathOf(one.itemId), labelId), 'invalid_request'),
          ),
          ['labelId'],
        )
      const json: Fields = { labelId: 'water', itemId: other.itemId }
      t.equal((await fixture.call('POST', pathOf(one.itemId), { as: 'manager', json })).status, 200)
      t.strictSame(await get(fixture, pathOf(one.itemId)), [WATER])
      t.strictSame(await get(fixture, pathOf(other.itemId)), [])
    },
  )

  onEachStore(
    t,
    `E2: attaching twice to a ${contentType} item has the effect of attaching once`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      for (const _ of [1, 2, 3])
        t.strictSame(await (await attach(fixture, pathOf(itemId), 'water')).json(), WATER)
      const together = await Promise.all(
        Array.from({ length: 10 }, () => attach(fixture, pathOf(itemId), 'health')),
      )
      for (const answer of together) t.equal(answer.status, 200)
      t.strictSame(await get(fixture, pathOf(itemId)), ALL)
      t.equal((await detach(fixture, pathOf(itemId), 'water')).status, 200)
      t.strictSame(await get(fixture, pathOf(itemId)), [HEALTH], 'and is detached at once')
    },
  )

  onEachStore(
    t,
    `E2: attaching to an unknown ${contentType} item, or an unknown label, is 404; labels cannot be created`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      await seeProblem(t, await attach(fixture, pathOf('unknown'), 'water'), 'not_found', 'item')
      await seeProblem(t, await attach(fixture, pathOf('unknown'), 'none'), 'not_found', 'both')
      const made = { labelId: 'none', en: 'None', fr: 'Aucun' }
      await seeProblem(
        t,
        await fixture.call('POST', pathOf(itemId), { as: 'manager', json: made }),
        'not_found',
        'label',
      )
      await seeProblem(
        t,
        await fixture.call('POST', all, { as: 'manager', json: made }),
        'method_not_allowed',
        'without an item',
      )
      t.strictSame(await get(fixture, all), ALL)
      t.strictSame(await get(fixture, pathOf(itemId)), [])
    },
  )

  onEachStore(
    t,
    `interface: detaching from a ${contentType} item returns an empty body with 200`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      await attach(fixture, pathOf(itemId), 'water')
      await attach(fixture, pathOf(itemId), 'health')
      const answer = await detach(fixture, pathOf(itemId), 'water')
      t.equal(answer.status, 200)
      t.equal(await answer.text(), '')
      t.equal(answer.headers.get('content-length'), '0')
      t.strictSame(await get(fixture, pathOf(itemId)), [HEALTH])
      t.strictSame(await get(fixture, all), ALL, 'the label itself stays')
    },
  )

  onEachStore(
    t,
    `E2: detaching an unattached label from a ${contentType} item is 404`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      const other = await createLive(fixture, contentType)
      await attach(fixture, pathOf(itemId), 'water')
      await seeProblem(t, await detach(fixture, pathOf(itemId), 'health'), 'not_found', 'not attached')
      await seeProblem(t, await detach(fixture, pathOf(itemId), 'none'), 'not_found', 'unknown label')
      await seeProblem(t, await detach(fixture, pathOf('unknown'), 'water'), 'not_found', 'unknown item')
      await seeProblem(t, await detach(fixture, pathOf(other.itemId), 'water'), 'not_found', "another item's")
      t.equal((await detach(fixture, pathOf(itemId), 'water')).status, 200)
      await seeProblem(t, await detach(fixture, pathOf(itemId), 'water'), 'not_found', 'twice')
    },
  )

  onEachStore(t, `E2: labels of an unknown or hidden ${contentType} item are []`, async (t, fixture) => {
    const draft = await create(fixture, contentType)
    const restricted = await createLive(fixture, contentType, { isDonorRestricted: '1' })
    for (const { itemId } of [draft, restricted]) await attach(fixture, pathOf(itemId), 'water')
    for (const [as, itemId, expected] of [
      ['user', 'unknown', []],
      ['user', draft.itemId, []],
      ['user', restricted.itemId, []],
      ['donor', draft.itemId, []],
      ['donor', restricted.itemId, [WATER]],
      ['manager', draft.itemId, [WATER]],
      ['admin', draft.itemId, [WATER]],
      ['manager', 'unknown', []],
    ] as const) {
      t.strictSame(await get(fixture, pathOf(itemId), {}, as), expected, `${as} by path`)
      t.strictSame(await get(fixture, all, { itemId }, as), expected, `${as} by parameter`)
      t.strictSame(
        await get(fixture, pathOf(itemId), { labelId: 'water' }, as),
        expected,
        `${as} with labelId`,
      )
    }
  })

  onEachStore(
    t,
    `interface: only content managers attach to and detach from ${contentType} items`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      for (const as of ['user', 'donor', 'userManager'] as const) {
        await seeProblem(t, await attach(fixture, pathOf(itemId), 'water', { as }), 'insufficient_scope', as)
        await seeProblem(t, await detach(fixture, pathOf(itemId), 'water', { as }), 'insufficient_scope', as)
      }
      t.equal((await attach(fixture, pathOf(itemId), 'water', { as: 'admin' })).status, 200)
      t.equal((await detach(fixture, pathOf(itemId), 'water', { as: 'admin' })).status, 200)
    },
  )

  onEachStore(
    t,
    `interface: the labels of a ${contentType} item do not change the item`,
    async (t, fixture) => {
      const item = await createLive(fixture, contentType)
      await attach(fixture, pathOf(item.itemId), 'water')
      t.strictSame(await get(fixture, `/${contentType}/${item.itemId}`), { items: [{ item }] })
    },
  )
}

onEachStore(
  t,
  'E1: a load that omits an attached label fails and names it, and nothing changes',
  async (t, fixture) => {
    const onLibrary = await createLive(fixture, 'library')
    const onFeed = await create(fixture, 'feed')
    await attach(fixture, `/library/${onLibrary.itemId}/label`, 'water')
    await attach(fixture, `/feed/${onFeed.itemId}/label`, 'health')
    const load = makeLoadLabels(fixture.ports)
    const fresh = { labelId: 'school', en: 'School', fr: 'École' }
    t.strictSame(await load([fresh])(), E.left({ _tag: 'LabelsInUse', labelIds: ['water', 'health'] }))
    t.strictSame(await get(fixture, '/library/label'), ALL)
    await detach(fixture, `/library/${onLibrary.itemId}/label`, 'water')
    t.strictSame(await load([fresh])(), E.left({ _tag: 'LabelsInUse', labelIds: ['health'] }))
    t.strictSame(
      await load([fresh, { ...LABELS[1], en: 'Well-being' }])(),
      E.right({ labels: 2, people: 0, everything: 0 }),
    )
    const renamed = { label: { labelId: 'health', en: 'Well-being', fr: 'Santé' } }
    t.strictSame(await get(fixture, '/feed/label'), [{ label: fresh }, renamed])
    t.strictSame(
      await get(fixture, `/feed/${onFeed.itemId}/label`, {}, 'manager'),
      [renamed],
      'still attached',
    )
  },
)

t.test('E1: labels and their attachments survive a restart', async (t) => {
  const folder = t.testdir()
  const first = await startFixture(folder)
  const { itemId } = await createLive(first, 'feed')
  await attach(first, `/feed/${itemId}/label`, 'health')
  await first.stop()
  const second = await startFixture(folder, { after: first })
  t.teardown(second.stop)
  t.strictSame(await get(second, '/feed/label'), ALL)
  t.strictSame(await get(second, `/feed/${itemId}/label`), [HEALTH])
})
