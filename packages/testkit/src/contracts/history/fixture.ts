import type { Act, Action, TimedAct } from '@almoner/domain/access'
import {
  type HasCounterpart,
  type ItemNotFound,
  type LibraryItem,
  nextRevision,
} from '@almoner/domain/content'
import type { AuditCursor, AuditQuery, AuditRecord } from '@almoner/domain/history'
import type { ImageMissing, ItemWritten, Unavailable } from '@almoner/domain/ports'
import {
  addMillis,
  collect,
  type ItemTitle,
  instant,
  type PageRequest,
  type ResultSet,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleId, sampleLibraryItem } from '../samples.ts'

/** A store of one test, alone with its data. */
export type HistoryUnderTest = UnderTest<
  | 'history'
  | 'libraryItems'
  | 'feedItems'
  | 'labels'
  | 'users'
  | 'devices'
  | 'notifications'
  | 'clients'
  | 'portfolio'
  | 'translations'
  | 'managers'
  | 'sessions'
  | 'oneTimeSecrets'
  | 'personalData'
  | 'deadDevices'
  | 'deliveries'
  | 'providers'
>

/** Selects every record. */
export const EVERYTHING: AuditQuery = {
  since: O.none,
  until: O.none,
  actor: O.none,
  action: O.none,
  subject: O.none,
}
/** The whole of a history. */
export const WHOLE: PageRequest<number> = { lim: O.none, offset: 0, after: O.none }
/** An update by a client. */
export const BY_APP: Act = { actor: { kind: 'client', id: 'app' }, action: 'update' }
/** A creation by the same client. */
export const CREATED: Act = { ...BY_APP, action: 'create' }

/** An act of a command. */
export const actOf = (action: Action): TimedAct => ({
  actor: { kind: 'command', id: 'contract' },
  action,
  at: SAMPLE_MOMENT,
})

/** The history of the n-th sample. */
export const library = (n: number) => ({ contentType: 'library', itemId: sampleId(n) }) as const

type Store = HistoryUnderTest

/** Adds the n-th sample. */
export const add = ({ libraryItems }: Store, n: number, act: Act = CREATED) =>
  done(libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [], act }))

/** Changes the n-th sample, a millisecond after its last change. */
export const change = (
  { libraryItems }: Store,
  n: number,
  edit: (item: LibraryItem) => LibraryItem,
  act: Act = BY_APP,
): TaskEither<ItemNotFound | HasCounterpart | ImageMissing | Unavailable, ItemWritten<LibraryItem>> =>
  libraryItems.change(sampleId(n), (current) => {
    const item = nextRevision(edit(current), instant(current.updatedAt + 1))
    const displaysImages = [item.images.cover].flatMap((image) =>
      O.isSome(image) && image.value.kind === 'stored' ? [image.value.name] : [],
    )
    return E.right({ item, storesImages: [], displaysImages, linksToImages: [], act })
  })

/** An edit of the title. */
export const titled = (title: string) => (item: LibraryItem) => ({ ...item, title: title as ItemTitle })

/** The revisions of the n-th sample. */
export const revisions = async ({ history }: Store, n: number, window = WHOLE) =>
  collect(await done(history.revisions(library(n), window)))

/** The records of a query; of everything by default. */
export const records = async ({ history }: Pick<Store, 'history'>, query: Partial<AuditQuery> = {}) => {
  const all: Array<AuditRecord> = []
  for await (const batch of history.records({ ...EVERYTHING, ...query })) all.push(...batch)
  return all
}

/** Checks that all records have the actor and the time of {@link actOf}. Returns them, oldest first. */
export const recordsOfActs = async (
  check: Check,
  store: Pick<Store, 'history'>,
): Promise<ReadonlyArray<AuditRecord>> => {
  const all = (await records(store)).toReversed()
  const { actor, at } = actOf('create')
  check.same(
    all.map((record) => [record.actor, record.at]),
    all.map(() => [actor, at]),
  )
  return all
}

/** Makes a registrar of tests, each with a store that is closed at its end. */
export const givenHistory = (runner: ContractRunner, make: () => Promise<HistoryUnderTest>) =>
  onEach(runner, make)

type Page = ResultSet<AuditRecord, AuditCursor>

const page = (
  { history }: HistoryUnderTest,
  query: Partial<AuditQuery>,
  window: Partial<PageRequest<AuditCursor>> = {},
): Promise<Page> =>
  done(history.audit({ ...EVERYTHING, ...query }, { lim: O.some(2), offset: 0, after: O.none, ...window }))

/** Pauses and resumes a provider this number of times: each leaves two records, all of one time. */
const makeRecords = async ({ providers }: HistoryUnderTest, times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    await done(providers.pause('fcm', SAMPLE_MOMENT, actOf('pause-provider')))
    const at = { now: SAMPLE_MOMENT, overrideUntil: O.none }
    await done(providers.resume('fcm', at, actOf('resume-provider')))
  }
}

/** How the audit is read in pages, and what the acts about providers leave in it. */
export const historyAuditContract = (runner: ContractRunner, make: () => Promise<HistoryUnderTest>): void => {
  const given = givenHistory(runner, make)

  given(
    'C11, K4: pages of the audit hold each record once, also those of one moment',
    async (check, store) => {
      await makeRecords(store, 3)
      await add(store, 1)
      const found: Array<AuditRecord> = []
      for (let after: O.Option<AuditCursor> = O.none, more = true; more; ) {
        const { next, ...rest } = await page(store, {}, { after })
        const some = await collect({ ...rest, next })
        check.ok(some.length === 2 || (O.isNone(next) && some.length === 1))
        found.push(...some)
        after = next
        more = O.isSome(next)
      }
      check.same(found.length, 7)
      check.same(found, await records(store))
      const all = await collect(await page(store, {}, { lim: O.none }))
      check.same(all, found)
    },
  )

  given('K4: pages are selected by action, time, actor and subject together', async (check, store) => {
    const other: Act = { actor: { kind: 'command', id: 'seed' }, action: 'create' }
    await makeRecords(store, 1)
    await add(store, 1)
    await add(store, 2, other)
    const found = async (query: Partial<AuditQuery>) =>
      (await collect(await page(store, query, { lim: O.some(9) }))).map(
        ({ action, subject }) => `${action} ${subject.id}`,
      )
    check.same(await found({ action: O.some('resume-provider') }), ['resume-provider fcm'])
    const both = [`create ${sampleId(2)}`, `create ${sampleId(1)}`]
    check.same(new Set(await found({ action: O.some('create') })), new Set(both))
    check.same(await found({ action: O.some('create'), actor: O.some('seed') }), [both[0]])
    check.same(await found({ action: O.some('update') }), [])
    const acts = { subject: O.some('fcm') }
    const [paused, resumed] = ['pause-provider fcm', 'resume-provider fcm']
    check.same(await found({ ...acts, since: O.some(SAMPLE_MOMENT), until: O.some(SAMPLE_MOMENT) }), [
      resumed,
      paused,
    ])
    check.same(await found({ ...acts, until: O.some(addMillis(SAMPLE_MOMENT, -1)) }), [])
    check.same(await found({ ...acts, since: O.some(addMillis(SAMPLE_MOMENT, 1)) }), [])
  })

  given('K1, G5: pausing and resuming a provider leave a record if they change it', async (check, store) => {
    const { providers } = store
    const states = async () =>
      (await done(providers.states(SAMPLE_MOMENT))).map(({ pause }) =>
        O.toNullable(O.map(({ reason }: { readonly reason: string }) => reason)(pause)),
      )
    const at = { now: SAMPLE_MOMENT, overrideUntil: O.none }
    check.same(await done(providers.resume('apns', at, actOf('resume-provider'))), [])
    const pause = await done(providers.pause('apns', SAMPLE_MOMENT, actOf('pause-provider')))
    check.same(pause, {
      origin: 'apns',
      kind: 'stopped',
      reason: 'paused by an operator',
      since: SAMPLE_MOMENT,
      until: O.none,
    })
    const later = addMillis(SAMPLE_MOMENT, 1)
    check.same(await done(providers.pause('apns', later, actOf('pause-provider'))), pause, 'it stays')
    check.same(await states(), [null, 'paused by an operator', null])
    const overrideUntil = O.some(addMillis(SAMPLE_MOMENT, 1000))
    const ended = await done(providers.resume('apns', { ...at, overrideUntil }, actOf('resume-provider')))
    check.same(ended, [pause])
    check.same(await states(), [null, null, null])
    check.same(
      (await records(store)).map(({ action, subject, changes }) => [action, subject, changes]).reverse(),
      [
        [
          'pause-provider',
          { kind: 'provider', id: 'apns' },
          [{ field: 'pause', before: null, after: 'paused by an operator' }],
        ],
        [
          'resume-provider',
          { kind: 'provider', id: 'apns' },
          [
            { field: 'pause', before: 'paused by an operator', after: null },
            { field: 'overrideUntil', before: null, after: '2026-03-01T12:00:01.000Z' },
          ],
        ],
      ],
    )
  })
}
