import { failedSchedules, makeRunSchedules } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { instant } from '@almoner/domain/values'
import { done } from '@almoner/testkit/samples'
import t from 'tap'
import type { Fixture } from '../support/fixture.ts'
import {
  create,
  createIn,
  type Fields,
  IMAGES,
  itemIn,
  look,
  onEachStore,
  PHOTO,
  update,
} from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

const CONTENT_TYPES = ['library', 'feed'] as const

/** What a Draft needs so that it may be Live. */
const WHOLE: Readonly<Record<ContentType, Fields>> = { library: IMAGES, feed: {} }

/** What a Draft has that lacks it. */
const BARE: Readonly<Record<ContentType, Fields>> = { library: {}, feed: { ...PHOTO, link: undefined } }
const MISSING = { library: ['coverImgUrl', 'notificationImgUrl'], feed: ['link'] }

const NONE = { publishAt: '', archiveAt: '' }

const seconds = ({ clock }: Fixture, after = 0): number => Math.floor(clock.now() / 1000) + after

const text = (at: number): string => new Date(at * 1000).toISOString()

/** The schedule of an item, as content managers see it. */
const scheduleOf = async ({ call }: Fixture, contentType: ContentType, itemId: string) => {
  const answer = await call('GET', `/${contentType}/`, {
    as: 'manager',
    query: { include: 'schedule', itemId },
  })
  const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { schedule: typeof NONE } }> }
  return items[0]?.item.schedule
}

const run = ({ ports }: Fixture) => done(makeRunSchedules(ports)())

for (const contentType of CONTENT_TYPES)
  onEachStore(t, `J1: content managers list ${contentType} items by their schedule`, async (t, fixture) => {
    const [none, both, late] = await Promise.all([1, 2, 3].map(() => create(fixture, contentType)))
    const at = seconds(fixture, 60)
    const set = (itemId = '', over: Fields = {}) =>
      update(fixture, contentType, itemId, { ...WHOLE[contentType], ...over })
    await set(both?.itemId, { publishAt: at, archiveAt: at + 60 })
    await set(late?.itemId, { archiveAt: at + 60 })
    const ask = (query: Readonly<Record<string, string>>, as: 'user' | 'donor' | 'manager' = 'manager') =>
      fixture.call('GET', `/${contentType}/`, { as, query })
    const found = async (query: Readonly<Record<string, string>>) => {
      const answer = await ask({ count: 'true', ...query })
      const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { itemId: string } }> }
      t.equal(answer.headers.get('x-total-count'), String(items.length))
      return items.map(({ item }) => item.itemId).toSorted()
    }
    t.strictSame(await found({ scheduled: 'true' }), [both?.itemId, late?.itemId].toSorted())
    t.strictSame(await found({ scheduled: 'false' }), [none?.itemId])
    t.equal((await found({ scheduled: '' })).length, 3, 'an empty value counts as absent')
    t.strictSame(await found({ scheduled: 'true', status: 'Live' }), [])
    t.strictSame(await found({ scheduled: 'true', q: 'well' }), await found({ scheduled: 'true' }))
    t.strictSame(await found({ scheduled: 'true', itemId: none?.itemId ?? '' }), [])
    t.strictSame(await found({ scheduled: 'true', itemId: late?.itemId ?? '' }), [late?.itemId])
    for (const as of ['user', 'donor'] as const) {
      for (const scheduled of ['true', 'false'])
        await seeProblem(t, await ask({ scheduled }, as), 'insufficient_scope', scheduled)
      t.strictSame(
        fieldsOf(await seeProblem(t, await ask({ scheduled: 'yes' }, as), 'invalid_request')),
        ['scheduled'],
        '400 comes first',
      )
      t.equal((await ask({ scheduled: '' }, as)).status, 200)
    }
    const byPath = await fixture.call('GET', `/${contentType}/${none?.itemId}`, {
      as: 'user',
      query: { scheduled: 'true' },
    })
    t.equal(byPath.status, 200, 'by path it is ignored')
  })

for (const contentType of CONTENT_TYPES) {
  onEachStore(t, `C15: the ${contentType} takes a schedule, shows and clears it`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const [at, end] = [seconds(fixture, 60), seconds(fixture, 120)]
    const set = (over: Fields) => update(fixture, contentType, itemId, { ...WHOLE[contentType], ...over })
    t.notOk('schedule' in (await itemIn(await set({ publishAt: at, archiveAt: `0${end}` }))))
    const whole = { publishAt: text(at), archiveAt: text(end) }
    t.strictSame(await scheduleOf(fixture, contentType, itemId), whole)
    await set({})
    t.strictSame(await scheduleOf(fixture, contentType, itemId), whole, 'an update without it keeps it')
    await set({ publishAt: '' })
    t.strictSame(await scheduleOf(fixture, contentType, itemId), { ...whole, publishAt: '' })
    await set({ archiveAt: '' })
    t.strictSame(await scheduleOf(fixture, contentType, itemId), NONE)
    const { item } = await look(fixture, contentType, itemId)
    t.notOk('schedule' in item, 'only for callers that ask')
  })

  onEachStore(
    t,
    `C15: include=schedule of the ${contentType} is for content managers`,
    async (t, fixture) => {
      for (const as of ['user', 'donor'] as const) {
        const answer = await fixture.call('GET', `/${contentType}/`, { as, query: { include: 'schedule' } })
        await seeProblem(t, answer, 'insufficient_scope')
      }
      const query = { include: 'schedules' }
      await seeProblem(
        t,
        await fixture.call('GET', `/${contentType}/`, { as: 'user', query }),
        'invalid_request',
      )
    },
  )

  onEachStore(t, `C15, G2: bad moments of the ${contentType} are 400, each named`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const at = seconds(fixture, 60)
    for (const bad of [at * 1000, `${at}.5`, -1, '-1', 'soon', text(at), 1e20]) {
      const answer = await update(fixture, contentType, itemId, { publishAt: bad, archiveAt: bad })
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['archiveAt', 'publishAt'])
    }
    for (const archiveAt of [at, at - 1]) {
      const sent = { ...WHOLE[contentType], publishAt: at, archiveAt }
      const answer = await update(fixture, contentType, itemId, sent)
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['archiveAt'])
    }
    const created = { publishAt: at, archiveAt: 'soon' }
    t.equal((await create(fixture, contentType, created)).status, 'Draft', 'a create knows no schedule')
  })

  onEachStore(
    t,
    `C15: a schedule of the ${contentType} fits the state after the update`,
    async (t, fixture) => {
      const at = seconds(fixture, 60)
      const { itemId } = await create(fixture, contentType)
      const set = (over: Fields) => update(fixture, contentType, itemId, { ...WHOLE[contentType], ...over })
      const refused = async (over: Fields, detail: RegExp) => {
        const before = await scheduleOf(fixture, contentType, itemId)
        t.match((await seeProblem(t, await set(over), 'illegal_move')).detail, detail)
        t.strictSame(await scheduleOf(fixture, contentType, itemId), before)
      }
      await set({ publishAt: at })
      await refused({ archiveAt: at }, /archiveAt must be after publishAt/)
      await set({ publishAt: '', archiveAt: at })
      await refused({ publishAt: at + 1 }, /publishAt must be before archiveAt/)
      await refused({ status: 'Live', publishAt: at - 1 }, /publishAt must be empty for an item that is Live/)
      await refused(
        { status: 'Archived', archiveAt: at },
        /archiveAt must be empty for an item that is Archived/,
      )
      await set({ status: 'Live' })
      t.strictSame(await scheduleOf(fixture, contentType, itemId), { ...NONE, archiveAt: text(at) })
      await refused({ status: 'Live', publishAt: at - 1 }, /Live/)
      t.equal((await set({ publishAt: at - 1 })).status, 200, 'a Draft again, and scheduled')
      await set({ status: 'Live' })
      t.strictSame(
        await scheduleOf(fixture, contentType, itemId),
        { ...NONE, archiveAt: text(at) },
        'by hand',
      )
      await set({ status: 'Archived' })
      t.strictSame(await scheduleOf(fixture, contentType, itemId), NONE)
      await refused(
        { status: 'Archived', publishAt: at, archiveAt: at + 1 },
        /publishAt .*archiveAt .*Archived/,
      )
      t.equal((await set({ publishAt: at })).status, 200)
    },
  )

  onEachStore(t, `C15, I1: a publication of the ${contentType} that lacks something`, async (t, fixture) => {
    const at = seconds(fixture, 60)
    const { itemId } = await create(fixture, contentType, BARE[contentType])
    const set = (over: Fields) => update(fixture, contentType, itemId, { ...BARE[contentType], ...over })
    const problem = await seeProblem(t, await set({ publishAt: at }), 'not_publishable')
    t.strictSame(fieldsOf(problem), MISSING[contentType], 'every condition')
    t.equal((await set({ archiveAt: at })).status, 200)
    const all = await seeProblem(t, await set({ publishAt: at + 1 }), 'not_publishable')
    t.strictSame(fieldsOf(all), [...MISSING[contentType], 'publishAt'].sort())
  })

  onEachStore(t, `C15: the moments of a ${contentType} item change its state alone`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const [at, end] = [seconds(fixture, 60), seconds(fixture, 120)]
    await update(fixture, contentType, itemId, { ...WHOLE[contentType], publishAt: at, archiveAt: end })
    const before = await look(fixture, contentType, itemId)
    t.strictSame((await run(fixture)).carriedOut, [])
    fixture.clock.set(instant(at * 1000))
    t.match(await run(fixture), { carriedOut: [{ contentType, itemId, part: 'publishAt', missing: [] }] })
    const live = await look(fixture, contentType, itemId)
    t.strictSame({ ...live.item, updatedAt: '' }, { ...before.item, status: 'Live', updatedAt: '' })
    t.not(live.etag, before.etag)
    const read = await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'donor' })
    t.equal(((await read.json()) as { items: unknown[] }).items.length, 1, 'readers see it')
    t.strictSame((await run(fixture)).carriedOut, [], 'once')
    fixture.clock.set(instant(end * 1000))
    await run(fixture)
    t.equal((await look(fixture, contentType, itemId)).item.status, 'Archived')
    const answer = await fixture.call('GET', `/${contentType}/${itemId}/history`, { as: 'manager' })
    t.match(await answer.json(), {
      history: [
        { revision: { action: 'update', actor: { kind: 'schedule', id: '' } } },
        { revision: { action: 'update', actor: { kind: 'schedule', id: '' } } },
        { revision: { action: 'update', actor: { kind: 'client' } } },
        { revision: { action: 'create' } },
      ],
    })
    const restored = await fixture.call('POST', `/${contentType}/${itemId}/history/2/restore`, {
      as: 'manager',
    })
    t.equal((await itemIn(restored)).status, 'Draft')
    t.strictSame(await scheduleOf(fixture, contentType, itemId), NONE, 'K2: a schedule is not restored')
  })

  onEachStore(t, `C15: a moment of the ${contentType} in the past is due at once`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    await update(fixture, contentType, itemId, { ...WHOLE[contentType], publishAt: 0, archiveAt: 1 })
    t.match(
      (await run(fixture)).carriedOut.filter((one) => one.itemId === itemId),
      [
        { part: 'publishAt', missing: [] },
        { part: 'archiveAt', missing: [] },
      ],
    )
    t.equal((await look(fixture, contentType, itemId)).item.status, 'Archived', 'one after the other')
  })

  onEachStore(
    t,
    `C15: a schedule of the ${contentType} that fails is cleared and told`,
    async (t, fixture) => {
      const at = seconds(fixture, 60)
      const { itemId } = await create(fixture, contentType)
      const set = (over: Fields) => update(fixture, contentType, itemId, { ...WHOLE[contentType], ...over })
      await set({ publishAt: at, archiveAt: at + 60 })
      const bare =
        contentType === 'library'
          ? { coverImgUrl: '', notificationImgUrl: '' }
          : { ...PHOTO, link: undefined }
      t.equal((await set(bare)).status, 200, 'later edits are free')
      const draft = (await createIn(fixture, contentType, 'Draft')).itemId
      await update(fixture, contentType, draft, { archiveAt: at })
      fixture.clock.set(instant(at * 1000))
      const { carriedOut } = await run(fixture)
      const outcomes = new Map(carriedOut.map((one) => [one.itemId as string, one.missing]))
      t.strictSame(outcomes.get(itemId), MISSING[contentType])
      t.strictSame(outcomes.get(draft), ['status'])
      for (const id of [itemId, draft]) {
        t.equal((await look(fixture, contentType, id)).item.status, 'Draft')
        t.strictSame(await scheduleOf(fixture, contentType, id), NONE)
      }
      const told = async () =>
        (await done(failedSchedules(fixture.ports)))
          .filter((one) => [itemId, draft].includes(one.itemId))
          .map(({ itemId, part, missing }) => ({ itemId, part, missing }))
      t.strictSame(new Set(await told()).size, 2)
      t.match(
        (await told()).find((one) => one.itemId === draft),
        { part: 'archiveAt', missing: ['status'] },
      )
      await update(fixture, contentType, draft, { ...WHOLE[contentType], status: 'Live' })
      t.strictSame(
        await told(),
        [{ itemId, part: 'publishAt', missing: MISSING[contentType] }],
        'published by hand',
      )
    },
  )
}
