import * as E from 'fp-ts/lib/Either.js'
import { type Branded, isStorable, NOT_STORABLE, refined } from '../values/refined.ts'

/**
 * The name of a working copy among those of its manager: the id of the item, `new-` and a UUID for an item that is not created yet,
 * `notification-` and the id of the publication that a notification is about, or `change-` and the id of a notification.
 */
export type CopyKey = Branded<string, 'CopyKey'>

const MAX = 200

/** Reads the key of a working copy: 1 to 200 characters. */
export const CopyKey = refined<CopyKey>(
  'CopyKey',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return text.length >= 1 && text.length <= MAX
      ? E.right(text as CopyKey)
      : E.left(`must have 1 to ${MAX} characters`)
  },
  {
    type: 'string',
    description:
      'Identifier of the item, `new-` and a UUID for a new item, or `notification-` and the identifier of a publication.',
    minLength: 1,
    maxLength: MAX,
  },
)
