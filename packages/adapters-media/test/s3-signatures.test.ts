import type { MediaName } from '@almoner/domain/media'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { connectionTo } from '../src/s3/connection.ts'
import { s3ImageFiles } from '../src/s3/image-files.ts'
import { LIMITS } from '../src/s3/location.ts'
import { signedAddress } from '../src/s3/signed-address.ts'
import { deleteObject, putObject } from '../src/s3/writing.ts'
import { CREDENTIALS, startSigningStore } from './support/signing-store.ts'

// D2: requests to a store have valid signatures. The store of this test rejects listings that are signed as AWS requires, with a slash after
// the bucket, so listings are left out.

const NAME = 'an_unguessable-name.png' as MediaName
const FILE = { kind: 'upload', name: NAME } as const
const BYTES = Buffer.from(Array.from({ length: 500 }, (_, i) => i % 256))

/** A store that checks signatures, and the credentials of this process. */
const given = async (t: Test, credentials: Readonly<Record<string, string>> = CREDENTIALS) => {
  const store = await startSigningStore(t.testdir())
  const before = { ...process.env }
  Object.assign(process.env, credentials)
  const place = { bucket: store.newBucket(), prefix: 'a/b', endpoint: store.endpoint, region: undefined }
  const connection = connectionTo(place, LIMITS)
  t.teardown(async () => {
    Object.assign(process.env, before)
    connection.close()
    await store.stop()
  })
  return connection
}

t.test('D2: storing, looking up, reading and deleting are signed', async (t) => {
  const connection = await given(t)
  const files = s3ImageFiles(connection)
  await done(putObject(connection, FILE, BYTES))
  t.ok(O.isSome(await done(files.look(FILE))))
  const opened = await done(files.open(FILE, { first: 10, last: 19 }))
  if (O.isNone(opened)) throw new Error('expected an image')
  t.equal(opened.value.size, BYTES.length)
  const pieces: Array<Uint8Array> = []
  for await (const piece of opened.value.bytes) pieces.push(piece)
  t.strictSame(Buffer.concat(pieces), BYTES.subarray(10, 20))
  await done(deleteObject(connection, FILE))
  await done(deleteObject(connection, FILE))
  t.strictSame(await done(files.look(FILE)), O.none)
})

t.test('D2: a signed URL is valid for its image and method only', async (t) => {
  const connection = await given(t)
  await done(putObject(connection, FILE, BYTES))
  const get = new URL(await done(signedAddress(connection, FILE, 'GET', 300)))
  const head = new URL(await done(signedAddress(connection, FILE, 'HEAD', 300)))
  const answer = await fetch(get)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'image/png')
  t.strictSame(Buffer.from(await answer.arrayBuffer()), BYTES)
  t.equal((await fetch(get, { headers: { range: 'bytes=0-9' } })).status, 206)
  t.equal((await fetch(head, { method: 'HEAD' })).status, 200)
  t.equal((await fetch(get, { method: 'DELETE' })).status, 403)
  t.equal((await fetch(get, { method: 'PUT', body: 'other' })).status, 403)
  const other = new URL(get)
  other.pathname = other.pathname.replace('an_', 'no_')
  t.equal((await fetch(other)).status, 403)
  const longer = new URL(get)
  longer.searchParams.set('X-Amz-Expires', '3000')
  t.equal((await fetch(longer)).status, 403)
})

t.test('D2: with a wrong secret nothing is stored, and the error contains no secret', async (t) => {
  const connection = await given(t, { ...CREDENTIALS, AWS_SECRET_ACCESS_KEY: 'a-wrong-secret' })
  const put = await putObject(connection, FILE, BYTES)()
  if (E.isRight(put)) throw new Error('expected a refusal')
  const { message } = put.left.cause as Error
  t.equal(message, 'the S3 store: storing an image: it answered SignatureDoesNotMatch (403)')
  t.strictSame(Object.keys(put.left.cause as Error), [], 'nor is it anywhere else in the error')
})
