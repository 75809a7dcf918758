import type { Act, Action, TimedAct } from '@almoner/domain/access'
import {
  type HasCounterpart,
  type ItemNotFound,
  type LibraryItem,
  nextRevision,
} from '@almoner/domain/content'
import type { AuditQuery, AuditRecord } from '@almoner/domain/history'
import type { ImageMissing, ItemWritten, Unavailable } from '@almoner/domain/ports'
import { type ItemTitle, instant, type PageRequest } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { collect } from '../item-store.ts'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, sampleId, sampleLibraryItem } from '../samples.ts'
import { SAMPLE_MOMENT } from '../samples-people.ts'

type Needs =
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

/** A store of one test, alone with its data. */
export type HistoryUnderTest = UnderTest<Needs>

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
