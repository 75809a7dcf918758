import {
  type Deadline,
  type Http2Connections,
  isCertificateFault,
  makeHttp2Connections,
} from '../connections.ts'
import type { ApnsOptions } from './options.ts'
import { type Exchanged, readReply } from './outcomes.ts'
import type { ProviderToken } from './provider-token.ts'

/** A push as it is sent, without its provider token. */
interface Outgoing {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends to a device and waits for the response. Never rejects. */
type Exchange = (device: string, outgoing: Outgoing, deadline: Deadline) => Promise<Exchanged>

const unanswered = (error: unknown): Exchanged => (isCertificateFault(error) ? 'certificate' : 'silence')

/** Makes an {@link Exchange} with one of Apple's servers, under the current provider token. */
const makeExchange = (
  address: string,
  { post }: Pick<Http2Connections, 'post'>,
  token: ProviderToken,
): Exchange => {
  const { origin } = new URL(address)
  return async (device, { headers, body }, deadline) => {
    const url = { origin, pathname: `/3/device/${device}`, search: '' }
    const signed = { ...headers, authorization: `bearer ${await token.current}` }
    return post({ url, headers: signed, body }, deadline).then(readReply, unanswered)
  }
}

/** One of Apple's two servers, as seen from here. */
export interface Server {
  /** Sends to a device, with another provider token where ours has expired or comes too soon after the last. Never rejects. */
  readonly ask: Exchange
  /** Ends the connection; to be called when nothing is in flight. */
  close(): Promise<void>
}

/** Apple asks providers to keep one connection and says by its settings how many pushes it takes at a time: 1,000 at most. */
const CONNECTION = { connections: 1, streams: 1000 }

const isBecauseOf = (exchanged: Exchanged, reason: string): boolean =>
  typeof exchanged === 'object' && exchanged.reason === reason

/** Opens a server. Nothing is connected before the first push. */
export const openServer = (
  origin: string,
  { ca, proxy }: Pick<ApnsOptions, 'ca' | 'proxy'>,
  token: ProviderToken,
  limit: number,
): Server => {
  const connections = makeHttp2Connections({ ca, proxy, limit, ...CONNECTION })
  const exchange = makeExchange(origin, connections, token)
  const ask: Exchange = async (device, outgoing, deadline) => {
    if (token.isExpired()) token.regenerate(token.generation)
    const { generation } = token
    const first = await exchange(device, outgoing, deadline)
    if (isBecauseOf(first, 'TooManyProviderTokenUpdates')) token.swap(generation)
    else if (isBecauseOf(first, 'ExpiredProviderToken')) token.regenerate(generation)
    else return first
    const second = await exchange(device, outgoing, deadline)
    // A token that came too soon after an expired one says only that ours are always too old.
    const isAlwaysTooOld =
      isBecauseOf(first, 'ExpiredProviderToken') && isBecauseOf(second, 'TooManyProviderTokenUpdates')
    return isAlwaysTooOld ? first : second
  }
  return { ask, close: connections.close }
}
