import { DELIVERED, type Provider, type Push, type PushGateway, retry } from '@almoner/domain'
import { jsonBytes } from './json-bytes.ts'

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

/** Whatever else the process has to do has its turn first, as it would while a provider is waited for. */
const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * A gateway that sends nothing anywhere: a push is delivered once its line is in the log. A log that cannot be written to may work
 * again later, as a provider may. A message counts as the UTF-8 of its JSON (G6).
 * @param log writes the line, at whatever level the log is kept, or throws
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
