import { once } from 'node:events'
import { createSecureServer, type Http2ServerRequest, type OutgoingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { makeAuthority } from '../../../testing/push-providers/src/index.ts'
import { openGateway } from './gateway.ts'
import type { ProviderPlace } from './provider.ts'
import { makePushes } from './pushes.ts'

/** A request as a gateway made it. */
export interface Recorded {
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

const GRANT = JSON.stringify({
  access_token: `ya29.${'a'.repeat(43)}`,
  expires_in: 3600,
  token_type: 'Bearer',
})

/** Returns the place with another origin. */
const movedTo = (place: ProviderPlace, origin: string, ca: string): ProviderPlace => {
  switch (place.kind) {
    case 'fcm':
      return { ...place, origin, ca, account: { ...place.account, token_uri: `${origin}/token` } }
    case 'apns':
      return { ...place, origin, ca }
    case 'webpush': {
      const subscriptions = place.subscriptions.map(({ endpoint, keys }) => ({
        endpoint: endpoint.replace(place.origin, origin),
        keys,
      }))
      return { ...place, origin, ca, subscriptions }
    }
  }
}

/** Records a request of a gateway and addresses it to the provider, so that a client written by hand can post the same fields. */
export const record = async (place: ProviderPlace): Promise<Recorded> => {
  const authority = await makeAuthority()
  let recorded: Recorded | undefined
  const take = async (request: Http2ServerRequest): Promise<void> => {
    const body = await buffer(request)
    if (request.url === '/token') return
    const { host } = new URL(place.origin)
    const headers = Object.entries(request.headers).filter(([name]) => name !== 'host')
    recorded = { headers: { ...Object.fromEntries(headers), ':authority': host }, body }
  }
  const server = createSecureServer(await authority.leaf(), async (request, response) => {
    await take(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(GRANT)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const elsewhere = movedTo(place, origin, authority.ca)
  const gateway = openGateway(elsewhere)
  const pushTo = makePushes(elsewhere)
  await gateway.send(pushTo(0))()
  await gateway.close()
  server.close()
  if (recorded === undefined) throw new RangeError('no push arrived')
  return recorded
}
