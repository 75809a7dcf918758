import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId, identifiers } from '../values/ids.ts'
import { mapListing, type ResultSet, WHOLE_COLLECTION } from '../values/page.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf } from '../values/refined.ts'
import type { ItemNotFound, LibraryItem } from './model.ts'
import { isOlder, type LinkedCounterpart, type TranslationFinding, translationFindings } from './older.ts'
import type { ContentPorts } from './ports.ts'
import { type Counterpart, type CounterpartNotFound, counterpartOf } from './rules.ts'

/** A publication with its counterpart, if it has one, and what an editor may want to do about them. */
export interface CheckedTranslation {
  readonly item: Counterpart & Pick<LibraryItem, 'title'>
  readonly counterpart: O.Option<LinkedCounterpart>
  readonly findings: ReadonlyArray<TranslationFinding>
  /** The fields whose words changed on the counterpart (J8). */
  readonly changed: ReadonlyArray<string>
}

const EVERY_ITEM = { visibility: { kind: 'everything' }, lang: O.none } as const

/**
 * Lists publications without a counterpart, with one that is not Live though they are, or with one whose words have changed (J7, J8): in the
 * order of the library and in bounded memory. For operators: checks no caller.
 */
export const makeCheckTranslations =
  ({ libraryItems, translations }: Pick<ContentPorts, 'libraryItems' | 'translations'>) =>
  (): TE.TaskEither<Unavailable, ResultSet<CheckedTranslation, never>> => {
    const check = (items: ReadonlyArray<LibraryItem>) =>
      pipe(
        translations.ofItems(items.map(({ id }) => id)),
        TE.map((found) =>
          items
            .map((item) => {
              const counterpart = O.fromNullable(found.get(item.id))
              const shown = counterpartOf(item)
              const changed = O.isSome(counterpart) ? counterpart.value.changes.map(({ field }) => field) : []
              return {
                item: { ...shown, title: item.title },
                counterpart,
                findings: translationFindings(shown, counterpart),
                changed,
              }
            })
            .filter(({ findings }) => findings.length > 0),
        ),
      )
    return pipe(
      libraryItems.list(EVERY_ITEM, WHOLE_COLLECTION),
      TE.map((items) => ({ ...mapListing(items, check), next: O.none })),
    )
  }

/** Parameters of PUT /library/<itemId>/translation. */
export const LinkTranslation = parameters({
  name: 'LinkTranslation',
  required: { itemId: ItemId },
  optional: {
    counterpartId: ItemId,
    upToDate: oneOf(
      'UpToDate',
      ['true'],
      'Confirms that both sides say the same. Without `counterpartId`, the present counterpart is meant.',
    ),
  },
  conditions: [
    {
      field: 'counterpartId',
      message: 'is required unless upToDate is true',
      unmet: ({ counterpartId, upToDate }) => counterpartId === undefined && upToDate === undefined,
    },
  ],
})
export type LinkTranslation = typeof LinkTranslation._A

/**
 * Links a publication to its counterpart in the other language, in place of earlier links of both (J7), or confirms that the pair is in step
 * (J8). No revision changes.
 */
export const makeLinkTranslation =
  (ports: Pick<ContentPorts, 'translations' | 'clock'>) =>
  (
    caller: Caller,
    { itemId, counterpartId, upToDate }: LinkTranslation,
  ): TE.TaskEither<
    InsufficientScope | ItemNotFound | CounterpartNotFound | ValidationFailed | Unavailable,
    Counterpart
  > =>
    permitted(
      'linkTranslation',
      caller,
    )(() => {
      const { translations, clock } = ports
      const by = { actor: caller.actor, at: clock.now() }
      const confirming: TimedAct = { ...by, action: 'confirm-translation' }
      if (counterpartId === undefined) return translations.confirm(itemId, confirming)
      const linking: TimedAct = { ...by, action: 'link-translation' }
      return translations.link(itemId, counterpartId, linking, upToDate && confirming)
    })

/** Parameters of DELETE /library/<itemId>/translation. */
export const UnlinkTranslation = parameters({
  name: 'UnlinkTranslation',
  required: { itemId: ItemId },
  optional: {},
})
export type UnlinkTranslation = typeof UnlinkTranslation._A

/** Removes the link between a publication and its counterpart; without one, the counterpart is not found (J7). No revision changes. */
export const makeUnlinkTranslation =
  (ports: Pick<ContentPorts, 'translations' | 'clock'>) =>
  (
    caller: Caller,
    { itemId }: UnlinkTranslation,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | CounterpartNotFound | Unavailable, void> =>
    permitted(
      'unlinkTranslation',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'unlink-translation', at: ports.clock.now() }
      return ports.translations.unlink(itemId, act)
    })

/** Parameters of GET /older. */
export const ListOlder = parameters({
  name: 'ListOlder',
  required: { itemIds: identifiers<ItemId>('ItemIds', 'Ids of publications') },
  optional: {},
})
export type ListOlder = typeof ListOlder._A

/** A publication that is older than its counterpart, with the words that changed there (J8). */
export interface OlderPublication {
  readonly itemId: ItemId
  readonly counterpart: LinkedCounterpart
}

/** Returns those of some publications that are older than their counterparts, in the order asked (J8). */
export const makeListOlder =
  ({ translations }: Pick<ContentPorts, 'translations'>) =>
  (
    caller: Caller,
    { itemIds }: ListOlder,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<OlderPublication>> =>
    permitted(
      'linkTranslation',
      caller,
    )(() =>
      pipe(
        translations.ofItems(itemIds),
        TE.map((found) =>
          [...new Set(itemIds)].flatMap((itemId) => {
            const counterpart = found.get(itemId)
            return counterpart !== undefined && isOlder(counterpart) ? [{ itemId, counterpart }] : []
          }),
        ),
      ),
    )
