import {
  type Deadline,
  isCertificateFault,
  makeHttp2Connections,
  type Posting,
  type Reading,
  WHOLE,
} from '../connections.ts'
import type { ApnsOptions } from './options.ts'
import { type Exchanged, readReply } from './outcomes.ts'
import type { ProviderToken } from './provider-token.ts'

/** A push as it is sent, without its provider token. */
interface Outgoing {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const READING: Reading<Exchanged> = {
  ...WHOLE,
  answered: readReply,
  unanswered: (error) => (isCertificateFault(error) ? 'certificate' : 'silence'),
}

/** One of Apple's two servers, as seen from here. */
export interface Server {
  /** Sends to a device, with another provider token where ours has expired or comes too soon after the last. Never rejects. */
  ask(device: string, outgoing: Outgoing, deadline: Deadline): Promise<Exchanged>
  /** Ends the connection; to be called when nothing is in flight. */
  close(): Promise<void>
}

/** Apple asks providers to keep one connection and says by its settings how many pushes it takes at a time: 1,000 at most. */
const CONNECTION = { connections: 1, streams: 1000 }

const isBecauseOf = (exchanged: Exchanged, reason: string): boolean =>
  typeof exchanged === 'object' && exchanged.reason === reason

/**
 * Opens a server. Nothing is connected before the first push.
 * @throws when the address is none
 */
export const openServer = (
  address: string,
  { ca, proxy }: Pick<ApnsOptions, 'ca' | 'proxy'>,
  token: ProviderToken,
  limit: number,
): Server => {
  const { origin } = new URL(address)
  const { post, close } = makeHttp2Connections({ ca, proxy, limit, ...CONNECTION })

  const exchange = async (url: Posting['url'], { headers, body }: Outgoing, deadline: Deadline) => {
    const signed = { ...headers, authorization: `bearer ${await token.current}` }
    return post({ url, headers: signed, body }, deadline, READING)
  }

  return {
    ask: async (device, outgoing, deadline) => {
      if (token.isExpired()) token.regenerate(token.generation)
      const { generation } = token
      const url = { origin, pathname: `/3/device/${device}`, search: '' }
      const first = await exchange(url, outgoing, deadline)
      if (isBecauseOf(first, 'TooManyProviderTokenUpdates')) token.swap(generation)
      else if (isBecauseOf(first, 'ExpiredProviderToken')) token.regenerate(generation)
      else return first
      const second = await exchange(url, outgoing, deadline)
      // A token that came too soon after an expired one says only that ours are always too old.
      const isAlwaysTooOld =
        isBecauseOf(first, 'ExpiredProviderToken') && isBecauseOf(second, 'TooManyProviderTokenUpdates')
      return isAlwaysTooOld ? first : second
    },
    close,
  }
}
