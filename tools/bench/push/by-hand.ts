// A client of node:http2 as an expert writes it by hand for one notification, without queues, a ledger, retries and leases.
import { hash } from 'node:crypto'
import { type ClientHttp2Session, constants, type OutgoingHttpHeaders } from 'node:http2'
import type { ProviderPlace } from './provider.ts'
import type { Recorded } from './recorded.ts'

/** Milliseconds that a push is given, as the gateways give it. */
const LIMIT = 9500
const NAMESPACE = Buffer.from('7c9d1d0b5f2e4c7f9a3e2b1d6f4a8c05', 'hex').toString('latin1')

/** Composes the push to a device by its number and its token. */
type Compose = (
  id: number,
  token: string,
) => { readonly headers: OutgoingHttpHeaders; readonly body: string | Buffer }

/** Returns a UUID (version 5), as of the pushes that the gateway posts. */
const uuidOf = (name: string): string => {
  const hex = hash('sha1', Buffer.from(`${NAMESPACE}${name}`, 'latin1'))
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Makes a function that composes a push: the same fields as a recorded one of the gateway. All that devices share is composed once. */
const makeCompose = ({ kind }: ProviderPlace, { headers, body }: Recorded): Compose => {
  const { 'content-length': _, ...shared } = headers
  if (kind === 'apns')
    return (id, token) => ({
      headers: {
        ...shared,
        ':path': `/3/device/${token}`,
        'apns-id': uuidOf(`${headers['apns-collapse-id']}/${id}`),
      },
      body,
    })
  const { message } = JSON.parse(body.toString()) as { readonly message: Readonly<Record<string, unknown>> }
  const { token: _token, ...content } = message
  const rest = `,${JSON.stringify(content).slice(1)}}`
  return (_id, token) => ({
    headers: shared,
    body: `{"message":{"token":${JSON.stringify(token)}${rest}`,
  })
}

/** Posts a push to a device. */
export type Post = (id: number, token: string) => Promise<void>

/** Makes a function that posts on connections by turns, gives up when its time is over, and reads the answer. */
export const makeByHand = (
  place: ProviderPlace,
  recorded: Recorded,
  sessions: ReadonlyArray<ClientHttp2Session>,
): Post => {
  const compose = makeCompose(place, recorded)
  return (id, token) =>
    new Promise((resolve, reject) => {
      const { headers, body } = compose(id, token)
      const stream = sessions[id % sessions.length]?.request(headers)
      if (stream === undefined) return reject(new RangeError('no connection'))
      const chunks: Array<Buffer> = []
      let status = 0
      stream.setTimeout(LIMIT, () => stream.close(constants.NGHTTP2_CANCEL))
      stream.once('response', (answer) => {
        status = Number(answer[':status'])
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        if (status >= 200 && status < 300) resolve()
        else reject(new Error(`the provider answered ${status}: ${Buffer.concat(chunks)}`))
      })
      stream.once('error', reject)
      stream.end(body)
    })
}
