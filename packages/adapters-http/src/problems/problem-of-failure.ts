import type {
  DeviceNotFound,
  IllegalMove,
  ImageFault,
  ImageGone,
  ImageNeeded,
  ImageNotFound,
  ImageRule,
  InsufficientScope,
  Invalid,
  ItemNotFound,
  LabelNotFound,
  NotificationNotFound,
  NoUser,
  ResourceNotFound,
  Stale,
  Unavailable,
  UserNotFound,
} from '@almoner/domain'
import { UPLOAD_FIELD } from '@almoner/domain'
import type { KeyInUse, KeyReused } from '../idempotency/once.ts'
import { scopeMissing } from './challenge.ts'
import { badRequest, busy, internalError, type Problem, unknownOutcome } from './problem.ts'

/** Every way in which a use case of the API can fail. */
export type Failure =
  | DeviceNotFound
  | IllegalMove
  | ImageFault
  | ImageGone
  | ImageNeeded
  | ImageNotFound
  | InsufficientScope
  | Invalid
  | KeyInUse
  | KeyReused
  | ItemNotFound
  | LabelNotFound
  | NotificationNotFound
  | NoUser
  | ResourceNotFound
  | Stale
  | Unavailable
  | UserNotFound

const sizeOf = (rule: ImageRule): string =>
  rule.kind === 'exactly'
    ? `must be ${rule.height} pixels high and ${rule.width} wide`
    : `must have at most ${rule.side} pixels on a side`

const badImage = (message: string): Problem => ({
  code: 'invalid_image',
  detail: `The image ${message}.`,
  errors: [{ field: UPLOAD_FIELD, message }],
})

const notFound = (what: string): Problem => ({ code: 'not_found', detail: `There is no such ${what}.` })

/** What each failure is to a caller. Exhaustive: a new failure does not compile until it has its place here. */
export const problemOf = (failure: Failure): Problem => {
  switch (failure._tag) {
    case 'Invalid':
      return badRequest('Some parameters are not valid.', failure.faults)
    case 'ItemNotFound':
      return notFound('item')
    case 'LabelNotFound':
      return notFound('label, or the item does not have it')
    case 'ImageNotFound':
      return notFound('image')
    case 'DeviceNotFound':
      return notFound('device token, or the user does not hold it')
    case 'UserNotFound':
      return notFound('user')
    case 'NotificationNotFound':
      return notFound('notification')
    case 'ResourceNotFound':
      return notFound('library item: resource_id names none')
    case 'InsufficientScope':
      return scopeMissing(failure.scope)
    case 'NoUser':
      return {
        code: 'no_user',
        detail: 'This needs a token of a client that is bound to a user, or that has the role user-manager.',
      }
    case 'IllegalMove':
      return {
        code: 'illegal_move',
        detail: `An item cannot go from ${failure.from} to ${failure.to}.${failure.from === 'Archived' ? ' Make it a Draft first.' : ''}`,
      }
    case 'ImageNeeded':
      return { code: 'image_needed', detail: 'Make the item a Draft first, or give it another image.' }
    case 'Stale':
      return { code: 'precondition_failed', detail: 'Read the item again: If-Match no longer matches.' }
    case 'KeyInUse':
      return {
        code: 'idempotency_key_in_use',
        detail: 'The first request with this Idempotency-Key is still running. Send it again in a moment.',
        headers: { 'Retry-After': '1' },
      }
    case 'KeyReused':
      return {
        code: 'idempotency_key_reused',
        detail: 'This Idempotency-Key was used for another request. Use a new one for each request.',
      }
    case 'ImageTooLarge':
      return { code: 'content_too_large', detail: 'An image may have at most 10 MiB.' }
    case 'UnsupportedImage':
      return { code: 'unsupported_media_type', detail: `The image ${failure.reason}.` }
    case 'BrokenImage':
      return badImage('does not decode whole')
    case 'WrongImageSize':
      return badImage(`${sizeOf(failure.rule)}; it has ${failure.height} by ${failure.width}`)
    case 'Unavailable':
      return busy(failure.cause)
    case 'OutcomeUnknown':
      return unknownOutcome(failure.cause)
    case 'ImageGone':
      // Use cases answer for the addresses that callers send; an image that vanishes elsewhere is our own fault.
      return internalError(failure)
  }
}
