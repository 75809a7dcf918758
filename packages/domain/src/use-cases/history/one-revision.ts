import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ContentType, type Fields, RevisionNumber } from '../../history/model.ts'
import type { HistoryPorts } from '../../history/ports.ts'
import { presentValue } from '../../items/fields.ts'
import type { ImageMissing } from '../../ports/item-store.ts'
import type { WebUrl } from '../../values/addresses.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { UpdateError } from '../failures.ts'

/** Parameters of POST /library/<itemId>/history/<number>/restore, and of the feed's. */
export const OneRevision = parameters({
  name: 'OneRevision',
  required: { itemId: ItemId, number: RevisionNumber },
  optional: {},
})
export type OneRevision = typeof OneRevision._A

/** There is no such item, or it does not have a revision of this number (K2). */
export interface RevisionNotFound {
  readonly _tag: 'RevisionNotFound'
}

/** The revision shows a stored image that no longer exists (K2). */
export interface RevisionImageGone {
  readonly _tag: 'RevisionImageGone'
  readonly url: WebUrl
}

/** How restoring a revision can fail. */
export type RestoreError = Exclude<UpdateError, ImageMissing> | RevisionNotFound | RevisionImageGone

/** Returns the state after a revision. */
export const stateAt = (
  history: HistoryPorts['history'],
  contentType: ContentType,
  { itemId, number }: OneRevision,
): TE.TaskEither<RevisionNotFound | Unavailable, Fields> =>
  pipe(
    history.stateAt({ contentType, itemId }, number),
    TE.flatMap(TE.fromOption((): RevisionNotFound | Unavailable => ({ _tag: 'RevisionNotFound' }))),
  )

/** Returns a state as the parameters of an update, with the present addresses of images (D3). */
export const asParameters = (
  { itemId }: OneRevision,
  state: Fields,
  addresses: HistoryPorts['mediaAddresses'],
): Fields => {
  const present = presentValue(addresses)
  const values = Object.entries(state).map(([field, value]): [string, string] => [
    field,
    present(field, value),
  ])
  return { ...Object.fromEntries(values), itemId }
}

/** Names the missing image of a revision by its address (K2). */
export const imageGone =
  (addresses: HistoryPorts['mediaAddresses']) =>
  (error: UpdateError): RestoreError =>
    error._tag === 'ImageMissing' ? { _tag: 'RevisionImageGone', url: addresses.urlOf(error.name) } : error
