import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { MediaName } from '@almoner/domain/media'
import { makeAuthority, openConnectProxy } from '@almoner/push-providers'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { openS3Media } from '../src/s3/index.ts'
import { startS3Store } from './support/s3-store.ts'
import { PATIENT } from './support/troubled.ts'

// Requests to a bucket go through the proxy, except to the hosts that are named (operations.md).

const NAME = 'an_unguessable-name.png' as MediaName

/** Starts a store behind TLS, and a proxy that alone finds its usual name. */
const start = async (t: Test, name = 'provider.invalid') => {
  const authority = await makeAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  const store = await startS3Store()
  const server = createServer(await authority.leaf(), (socket) => {
    const upstream = connect(Number(new URL(store.endpoint).port), '127.0.0.1')
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await openConnectProxy()
  t.teardown(async () => {
    setDefaultCACertificates(before)
    server.close()
    await proxy.stop()
    await store.stop()
  })
  const host = `${name}:${(server.address() as AddressInfo).port}`
  const place = {
    ...{ bucket: store.newBucket(), prefix: 'media', endpoint: `https://${host}`, region: undefined },
    proxy: { url: proxy.url.replace('//', '//user:pass@'), except: '' },
  }
  return { host, place, proxy }
}

t.test('proxy: images are stored, looked at, read and listed through a tunnel', async (t) => {
  // The store takes other names for those of buckets.
  const { host, place, proxy } = await start(t, '127.0.0.1')
  const { mediaStore, imageFiles, close } = await done(openS3Media(place, PATIENT))
  t.teardown(close)
  const bytes = Buffer.alloc(300_000, 7)
  await done(mediaStore.put(NAME, { type: 'image/png', bytes }))
  t.ok(O.isSome(await done(imageFiles.look({ kind: 'upload', name: NAME }))))
  const opened = await done(imageFiles.open({ kind: 'upload', name: NAME }))
  const pieces: Array<Uint8Array> = []
  if (O.isSome(opened)) for await (const piece of opened.value.bytes) pieces.push(piece)
  t.ok(Buffer.concat(pieces).equals(bytes))
  t.ok(proxy.asked.length > 0)
  for (const { target, authorization } of proxy.asked) {
    t.equal(target, host)
    t.equal(authorization, `Basic ${Buffer.from('user:pass').toString('base64')}`)
  }
})

t.test(
  'proxy: one that refuses or is silent is a store that cannot be reached, and is not named',
  async (t) => {
    const { place, proxy } = await start(t)
    for (const way of [407, 403, 502, 'silence'] as const) {
      proxy.answerBy(way)
      const opened = await openS3Media(place, { ...PATIENT, connect: 300, silence: 300 })()
      t.match(opened, { left: { _tag: 'Unavailable' } }, String(way))
      if (E.isLeft(opened)) t.notMatch(String(opened.left.cause), /pass|127\.0\.0\.1/)
    }
  },
)

t.test('proxy: hosts that are named are reached directly', async (t) => {
  const { place, proxy } = await start(t)
  for (const except of ['*', '.invalid', 'provider.invalid']) {
    const opening = openS3Media({ ...place, proxy: { ...place.proxy, except } }, PATIENT)
    t.equal(await failure<unknown>(opening), 'Unavailable', 'its name is not found')
  }
  t.equal(proxy.asked.length, 0)
})

t.test('proxy: credentials by a web identity are asked for through it too', async (t) => {
  const { place, proxy } = await start(t)
  const before = { ...process.env }
  t.teardown(() => Object.assign(process.env, before))
  const token = join(t.testdir(), 'token')
  writeFileSync(token, 'a-token')
  delete process.env['AWS_ACCESS_KEY_ID']
  Object.assign(process.env, {
    AWS_WEB_IDENTITY_TOKEN_FILE: token,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/images',
  })
  t.teardown(() => {
    delete process.env['AWS_WEB_IDENTITY_TOKEN_FILE']
    delete process.env['AWS_ROLE_ARN']
  })
  proxy.answerBy(403)
  t.equal(await failure<unknown>(openS3Media(place, PATIENT)), 'Unavailable')
  t.match(
    proxy.asked.map(({ target }) => target),
    [/^sts\..*amazonaws\.com:443$/],
  )
})
