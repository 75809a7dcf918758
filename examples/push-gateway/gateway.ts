import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import {
  DELIVERED,
  type PushMessage,
  type PushResult,
  refused,
  retry,
  senderError,
  unregistered,
} from '@almoner/domain/notifications'
import type { PushGateway } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'

/** The address of an organization's own relay, and the key that it asks for. */
export interface Relay {
  readonly url: string
  readonly key: string
}

/** What each answer of the relay means: one table. A status that is not in it is one of theirs, and is tried again. */
const MEANING: Readonly<Record<number, PushResult>> = {
  202: DELIVERED,
  400: refused('bad message'),
  401: senderError('bad key'),
  404: unregistered('unknown device'),
  413: refused('too large'),
}

const resultOf = (answer: Response): PushResult => {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const after = Number.isFinite(seconds) ? O.some(seconds * 1000) : O.none
  return MEANING[answer.status] ?? retry(after, `status ${answer.status}`)
}

const textOf = (message: PushMessage): string => JSON.stringify(message)

/** Carries pushes to the relay, which knows the devices by the tokens that came with the prefix `fcm:`. */
export const relayGateway = ({ url, key }: Relay): PushGateway => ({
  bytesOf: (message) => Buffer.byteLength(textOf(message)),
  send:
    ({ destination, message, notificationId }) =>
    async () => {
      if (destination.provider !== 'fcm') return refused('no such devices here')
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            // The relay shows one message where it is given two with the same key.
            'collapse-key': notificationId,
            'device-token': destination.token,
          },
          body: textOf(message),
          // A little less than what the domain waits for.
          signal: AbortSignal.timeout(ANSWER_WITHIN - 500),
        })
        await answer.body?.cancel()
        return resultOf(answer)
      } catch {
        // No answer, or none in time. The reason may name the device's address, so it is not repeated.
        return retry(O.none, 'no answer')
      }
    },
})
