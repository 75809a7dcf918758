import * as E from 'fp-ts/lib/Either.js'
import { type Branded, isStorable, NOT_STORABLE, nfcOf, type Refined, refined } from './refined.ts'

/** Identifiers are opaque: one that was never given out is simply unknown, so only unstorable text is refused. */
const identifier = <A extends string>(name: string, description: string): Refined<A> =>
  refined(name, (text) => (isStorable(text) ? E.right(text as A) : E.left(NOT_STORABLE)), {
    type: 'string',
    description,
    example: '01a20fe0-4e96-75a3-95a0-1dce6da740ae',
  })

/** A library or feed item's identifier. New ones are monotonic UUIDv7 (C3). */
export type ItemId = Branded<string, 'ItemId'>

/** Reads an item's identifier: any storable text, as one that was never given out is simply unknown (C4). */
export const ItemId = identifier<ItemId>('ItemId', 'Identifier of the item.')

/** Ids that one question names at most. */
const MOST_ASKED = 100

/** Reads identifiers that commas separate, at most a hundred. */
export const identifiers = <A extends string>(name: string, description: string): Refined<ReadonlyArray<A>> =>
  refined(
    name,
    (text) => {
      const ids = text.split(',')
      if (ids.length > MOST_ASKED) return E.left(`must name at most ${MOST_ASKED}`)
      return isStorable(text)
        ? E.right(ids as ReadonlyArray<string> as ReadonlyArray<A>)
        : E.left(NOT_STORABLE)
    },
    { type: 'string', description: `${description}, separated by commas: at most ${MOST_ASKED}.` },
  )

/** A label's identifier, from the file that labels are loaded from (E1). */
export type LabelId = Branded<string, 'LabelId'>

/** Reads a label's identifier: any storable text in NFC (H5), as one that was never loaded is simply unknown (E2). */
export const LabelId = refined<LabelId>(
  'LabelId',
  (text) => (isStorable(text) ? E.right(nfcOf(text) as LabelId) : E.left(NOT_STORABLE)),
  { type: 'string', description: 'Identifier of the label.', example: 'water' },
)

/** A notification's identifier. New ones are monotonic UUIDv7, as items' are. */
export type NotificationId = Branded<string, 'NotificationId'>

/** Reads a notification's identifier: any storable text, as one that was never given out is simply unknown (G3). */
export const NotificationId = identifier<NotificationId>('NotificationId', 'Identifier of the notification.')

/** An OAuth client's name for itself. */
export type ClientId = Branded<string, 'ClientId'>

const CLIENT_ID = /^[A-Za-z0-9._-]{1,100}$/

/** Letters, digits, dot, dash and underscore: safe in a form, in HTTP Basic and in a shell. */
export const ClientId = refined<ClientId>(
  'ClientId',
  (text) =>
    CLIENT_ID.test(text)
      ? E.right(text as ClientId)
      : E.left('must be 1 to 100 letters, digits, dots, dashes or underscores'),
  { type: 'string', description: 'OAuth client identifier.', pattern: CLIENT_ID.source, example: 'website' },
)

/** Identifies a device: equal for all texts that lead to the same destination (F4). */
export type DeviceIdentity = Branded<string, 'DeviceIdentity'>
