import type { PushMessage, Shortened } from './model.ts'
import { PAYLOAD_LIMIT } from './push.ts'

/** A message as it is sent, and what was left out of it. */
export interface FittedMessage {
  readonly message: PushMessage
  readonly shortened: Shortened
}

const without = (message: PushMessage, urls: Partial<PushMessage['data']>): PushMessage => ({
  ...message,
  data: { ...message.data, ...urls },
})

/**
 * Returns a message whose item has grown since it was created so that providers take it: without its image, else without its links too (G6).
 * @param bytesOf the bytes that a message takes with the provider where it takes most
 */
export const fitted = (message: PushMessage, bytesOf: (message: PushMessage) => number): FittedMessage => {
  const forms: ReadonlyArray<FittedMessage> = [
    { message, shortened: '' },
    { message: without(message, { visualUrl: '' }), shortened: 'image' },
    { message: without(message, { visualUrl: '', actionUrl: '', iconUrl: '' }), shortened: 'links' },
  ]
  return forms.find((form) => bytesOf(form.message) <= PAYLOAD_LIMIT) ?? (forms.at(-1) as FittedMessage)
}
