import { type FieldError, fieldError } from '../values/parameters.ts'
import type { PushMessage } from './message.ts'

/** The most bytes that a provider takes in one push (G6). */
export const PAYLOAD_LIMIT = 4096

/** Push services that take less than {@link PAYLOAD_LIMIT}: their devices do not get a larger message, and others do (G6). */
export const SMALLER_SERVICES = ['firefox-android'] as const

/** The size of a message for a service that takes less than others. */
export interface SmallerLimit {
  readonly service: (typeof SMALLER_SERVICES)[number]
  readonly bytes: number
  /** The most bytes that the service takes. */
  readonly most: number
}

/** Returns the errors of a message of this number of bytes: each of its texts, if the payload exceeds the limit of all providers (G6). */
export const sizeFaults = (
  bytes: number,
  { title, subtitle, body }: Pick<PushMessage, 'title' | 'subtitle' | 'body'>,
): ReadonlyArray<FieldError> => {
  if (bytes <= PAYLOAD_LIMIT) return []
  const message = `makes the push larger than the ${PAYLOAD_LIMIT} bytes that a provider takes: ${bytes}`
  return Object.entries({ title, subtitle, description: body })
    .filter(([, text]) => text !== '')
    .map(([field]) => fieldError(field, message))
}
