import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import { Provider } from '@parse/node-apn'
import { trusting } from '../trust.ts'
import type { ApnsOptions } from './options.ts'
import type { ProviderToken } from './provider-token.ts'

/** What the library needs of a connection to make a request on it. */
export interface Requester {
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream
}

/** A request as the library takes it. */
export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * The part of `@parse/node-apn` 8.1.0 that is used: the client inside its `Provider`. Its `send` is not used, because it
 * - looks for `Retry-After` by a name that Node never gives, takes it out of what it throws, and tries 408, 429, 5xx and expired tokens
 *   again at once, three times;
 * - after a 500 waits for all other pushes of the connection, or for ever where the connection is gone;
 * - loses the status of an answer that is empty or no JSON;
 * - keeps a connection on which nothing is answered any more: its pings, once a minute, have no consequence.
 * `connect` and `request`, which it is made of, do none of that: they open a connection, sign, write, read and stop after a while, once.
 */
export interface LibraryClient {
  /** The connection that was opened last. */
  readonly session?: ClientHttp2Session
  readonly config: { token: ProviderToken; readonly address: string }
  connect(): Promise<void>
  /** Resolves for success, rejects with the answer or the fault otherwise. May never settle when a stream ends without a word. */
  request(on: Requester, address: string, outgoing: Outgoing, path: string, method: 'POST'): Promise<unknown>
  setLogger(log: () => void): void
  /** Stops the pings; connections are closed by whoever looks after them. */
  shutdown(): Promise<void>
}

/** The library would write answers to stdout where the environment says `DEBUG=apn`. */
const silent = (): void => {}

/**
 * A client for one of Apple's servers. Nothing is connected yet.
 * @throws when the key cannot be used
 */
export const openLibrary = (
  origin: string,
  { key, keyId, teamId, ca }: Pick<ApnsOptions, 'key' | 'keyId' | 'teamId' | 'ca'>,
  token: ProviderToken,
  requestTimeout: number,
): LibraryClient => {
  const { hostname, port } = new URL(origin)
  const provider = new Provider({
    // As bytes: the library would take a text of another form for the name of a file.
    token: { key: Buffer.from(key), keyId, teamId },
    address: hostname,
    port: port === '' ? 443 : Number(port),
    connectionRetryLimit: 0,
    requestTimeout,
    ...trusting(ca),
  })
  const { client } = provider as unknown as { readonly client: LibraryClient }
  client.setLogger(silent)
  client.config.token = token
  return client
}
