import { once } from 'node:events'
import { type ConnectionOptions, connect } from 'node:tls'
import t from 'tap'
import { type Authority, makeApnsKey, makeAuthority, openApns, openFcm, openWebPush } from '../src/index.ts'
import { askHttp1 } from './clients.ts'

const shake = async (origin: string, options: ConnectionOptions): Promise<string> => {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', ...options })
  try {
    await once(socket, 'secureConnect')
    return String(socket.alpnProtocol)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'no code'
  } finally {
    socket.destroy()
  }
}

const authority = await makeAuthority()

t.test(
  'TLS: only clients that trust the authority connect, and only while the certificate is valid',
  async (t) => {
    const outcome = async (by: Authority, kind: 'leaf' | 'expiredLeaf' | 'leafForAnotherHost') => {
      const server = await openWebPush({ certificate: await by[kind]() })
      t.teardown(server.stop)
      return shake(server.origin, { ca: authority.ca, ALPNProtocols: ['h2'] })
    }
    t.equal(await outcome(authority, 'leaf'), 'h2')
    t.equal(await outcome(authority, 'expiredLeaf'), 'CERT_HAS_EXPIRED')
    t.equal(await outcome(authority, 'leafForAnotherHost'), 'ERR_TLS_CERT_ALTNAME_INVALID')
    t.match(
      await outcome(await makeAuthority(), 'leaf'),
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE/,
    )
  },
)

t.test('TLS: the certificate is valid for localhost too', async (t) => {
  const server = await openWebPush({ certificate: await authority.leaf() })
  t.teardown(server.stop)
  t.equal(
    await shake(server.origin, { ca: authority.ca, servername: 'localhost', ALPNProtocols: ['h2'] }),
    'h2',
  )
})

t.test('APNs uses HTTP/2 only, FCM and Web Push HTTP/1.1 too', async (t) => {
  const certificate = await authority.leaf()
  const apns = await openApns({ certificate, key: makeApnsKey(), topic: 'org.example.app' })
  const fcm = await openFcm({ certificate })
  const webPush = await openWebPush({ certificate })
  for (const server of [apns, fcm, webPush]) t.teardown(server.stop)
  for (const { origin } of [fcm, webPush]) {
    t.equal(await shake(origin, { ca: authority.ca, ALPNProtocols: ['http/1.1'] }), 'http/1.1')
    t.equal((await askHttp1(origin, authority.ca, { path: '/nowhere' })).status, 404)
  }
  t.equal(
    await shake(apns.origin, { ca: authority.ca, ALPNProtocols: ['http/1.1'] }),
    'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  )
})
