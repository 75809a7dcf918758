import type { Http2Connections } from '../http2-connections.ts'
import { isCertificateFault } from '../trust.ts'
import type { Deadline } from '../with-timeout.ts'
import type { ProviderToken } from './provider-token.ts'
import { type Exchanged, readReply } from './reply.ts'

/** A push as it is sent, without its provider token. */
export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends to a device and waits for the response. Never rejects. */
export type Exchange = (device: string, outgoing: Outgoing, deadline: Deadline) => Promise<Exchanged>

/** Makes an {@link Exchange} with one of Apple's servers, under the current provider token. */
export const makeExchange =
  (origin: string, { post }: Pick<Http2Connections, 'post'>, token: ProviderToken): Exchange =>
  async (device, { headers, body }, deadline) => {
    const url = new URL(`/3/device/${device}`, origin)
    try {
      const signed = { ...headers, authorization: `bearer ${await token.current}` }
      return readReply(await post({ url, headers: signed, body }, deadline))
    } catch (error) {
      return isCertificateFault(error) ? 'certificate' : 'silence'
    }
  }
