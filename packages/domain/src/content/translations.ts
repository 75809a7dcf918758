import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId } from '../values/ids.ts'
import { mapListing, type ResultSet, WHOLE_COLLECTION } from '../values/page.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { ItemNotFound, LibraryItem } from './model.ts'
import type { ContentPorts } from './ports.ts'
import {
  type Counterpart,
  type CounterpartNotFound,
  counterpartOf,
  type TranslationFinding,
  translationFindings,
} from './rules.ts'

/** A publication with its counterpart, if it has one, and what an editor may want to do about them. */
export interface CheckedTranslation {
  readonly item: Counterpart
  readonly counterpart: O.Option<Counterpart>
  readonly findings: ReadonlyArray<TranslationFinding>
}

const EVERY_ITEM = { visibility: { kind: 'everything' }, lang: O.none } as const

/**
 * Lists publications without a counterpart, with one that is not Live though they are, or with one that changed later (J7): in the
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
              return { item: shown, counterpart, findings: translationFindings(shown, counterpart) }
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
  required: { itemId: ItemId, counterpartId: ItemId },
  optional: {},
})
export type LinkTranslation = typeof LinkTranslation._A

/** Links a publication to its counterpart in the other language, in place of earlier links of both (J7). No revision changes. */
export const makeLinkTranslation =
  (ports: Pick<ContentPorts, 'translations' | 'clock'>) =>
  (
    caller: Caller,
    { itemId, counterpartId }: LinkTranslation,
  ): TE.TaskEither<
    InsufficientScope | ItemNotFound | CounterpartNotFound | ValidationFailed | Unavailable,
    Counterpart
  > =>
    permitted(
      'linkTranslation',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'link-translation', at: ports.clock.now() }
      return ports.translations.link(itemId, counterpartId, act)
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
