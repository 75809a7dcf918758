import { DELIVERED, type Push, type PushMessage, retry } from '@almoner/domain/notifications'
import type { Provider } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'

/** A message as the UTF-8 of its JSON: what it counts where no provider's own fields are made of it (G6). */
export const jsonBytes = (message: PushMessage): number => Buffer.byteLength(JSON.stringify(message))

/** What a log may hold of a push: no token, no email, and of the text nothing but the title. */
export interface PushLine {
  readonly notificationId: string
  readonly deviceId: number
  readonly provider: Provider
  readonly title: string
}

const lineOf = ({ notificationId, deviceId, destination, message }: Push): PushLine => ({
  notificationId,
  deviceId,
  provider: destination.provider,
  title: message.title,
})

/** Lets other work run first, as waiting for a provider would. */
const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * A gateway that sends nothing: a push counts as delivered once its line is in the log. If the log cannot be written, the push is retried. The
 * size of a message is that of its JSON in UTF-8 (G6).
 * @param log writes the line at every log level, or throws
 */
export const logGateway = (log: (line: PushLine) => void): PushGateway => ({
  bytesOf: jsonBytes,
  send: (push) => async () => {
    await othersFirst()
    try {
      log(lineOf(push))
      return DELIVERED
    } catch {
      return retry()
    }
  },
})
