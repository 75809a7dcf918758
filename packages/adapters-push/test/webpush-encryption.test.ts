// RFC 8188 and RFC 8291: the examples of both, and a browser that reads whatever it is sent.
import { createDecipheriv, createECDH, createHmac, createSecretKey, type ECDH } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { encodeRecord, encryptAll, encryptFor } from '../src/webpush/encryption.ts'
import { keys as senderKeys } from './webpush.ts'

const bytes = (...lines: ReadonlyArray<string>): Buffer => Buffer.from(lines.join(''), 'base64url')

const hmac = (key: Uint8Array, ...parts: ReadonlyArray<Uint8Array>): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest()

/** HKDF for one block of output (https://www.rfc-editor.org/rfc/rfc5869#section-2). */
const derive = (salt: Uint8Array, secret: Uint8Array, info: string | Buffer, length: number): Buffer =>
  hmac(hmac(salt, secret), Buffer.from(info), Buffer.of(1)).subarray(0, length)

interface Received {
  readonly salt: Buffer
  readonly recordSize: number
  readonly keyId: Buffer
  readonly records: number
  readonly plaintext: Buffer
}

/** Decodes `aes128gcm`, of any number of records with any padding. @param secretOf returns the input keying material of a key id */
const receive = (body: Buffer, secretOf: (keyId: Buffer) => Buffer): Received => {
  const [salt, recordSize, end] = [body.subarray(0, 16), body.readUInt32BE(16), 21 + body.readUInt8(20)]
  const keyId = body.subarray(21, end)
  const secret = secretOf(keyId)
  const key = derive(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const base = derive(salt, secret, 'Content-Encoding: nonce\0', 12)
  const count = Math.ceil((body.length - end) / recordSize)
  const contents = Array.from({ length: count }, (_, n) => {
    const record = body.subarray(end + n * recordSize, end + (n + 1) * recordSize)
    const nonce = Buffer.from(base)
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ n) >>> 0, 8)
    const cipher = createDecipheriv('aes-128-gcm', key, nonce)
    cipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
    const delimiter = padded.findLastIndex((byte) => byte !== 0)
    if (padded[delimiter] !== (n === count - 1 ? 2 : 1)) throw new RangeError('another delimiter')
    return padded.subarray(0, delimiter)
  })
  return { salt, recordSize, keyId, records: count, plaintext: Buffer.concat(contents) }
}

/** Reads a message as the browser with these keys does. */
const readAs = (pair: ECDH, auth: Buffer, body: Uint8Array): Received =>
  receive(Buffer.from(body), (sender) => {
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
    return derive(auth, pair.computeSecret(sender), info, 32)
  })

const pairOf = (privateKey: Buffer): ECDH => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  return pair
}

const WALRUS = 'I am the walrus'

t.test('RFC 8188, 3.1: the record of the example', async (t) => {
  const secret = bytes('yqdlZ-tYemfogSmv7Ws5PQ')
  const salt = bytes('I1BsxtFttlv3u_Oo94xnmw')
  const example = bytes('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
  const coding = { secret: createSecretKey(secret), salt, keyId: Buffer.alloc(0) }
  const body = encodeRecord(Buffer.from(WALRUS), coding)
  t.equal(Buffer.from(body).toString('base64url'), example.toString('base64url'))
  t.equal(receive(example, () => secret).plaintext.toString(), WALRUS)
})

t.test('RFC 8188, 3.2: the receiver of these tests reads the example of two records', async (t) => {
  const body = bytes(
    'uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF',
    '1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA',
  )
  const read = receive(body, () => bytes('BO3ZVPxUlnLORbVGMpbT1Q'))
  t.match(read, { recordSize: 25, records: 2 })
  t.equal(read.keyId.toString(), 'a1')
  t.equal(read.plaintext.toString(), WALRUS)
})

t.test('RFC 8291, appendix A: the message of the example, to the byte', async (t) => {
  const sender = pairOf(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const browser = pairOf(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'))
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  t.equal(browser.getPublicKey('base64url'), p256dh)
  const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
  const plaintext = Buffer.from('When I grow up, I want to be a watermelon')
  const coding = { sender, keyId: sender.getPublicKey(), salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') }
  const body = Buffer.from(encryptFor({ keys, plaintext }, coding))
  const example = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml',
    'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT',
    'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  t.equal(body.toString('base64url'), example.toString('base64url'))
  t.strictSame(readAs(browser, bytes(keys.auth), example).plaintext, plaintext)
})

/** Any private number of P-256: its order begins with 32 ones. */
const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((number) => number[0] !== 255 && number.some((byte) => byte !== 0))
  .map((number) => Buffer.from(number))
const secrets = fc.uint8Array({ minLength: 16, maxLength: 24 }).map((secret) => Buffer.from(secret))
/** All that fits into the 4,096 bytes of a body, the longest and the empty one among them. */
const plaintexts = fc.oneof(
  fc.uint8Array({ maxLength: 3993, size: 'max' }),
  fc.constantFrom(0, 1, 3992, 3993).map((length) => new Uint8Array(length)),
)

t.test('RFC 8291: a browser reads what was encrypted for it, in one record, from a new sender', async (t) => {
  fc.assert(
    fc.property(privateKeys, secrets, plaintexts, (privateKey, auth, plaintext) => {
      const pair = pairOf(privateKey)
      const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
      const bodies = encryptAll([
        { keys, plaintext },
        { keys, plaintext },
      ])
      const read = bodies.map((body) => readAs(pair, auth, body ?? new Uint8Array()))
      const [first, second] = read
      return (
        bodies.every((body) => body?.length === plaintext.length + 103) &&
        bodies.every((body) => body?.byteOffset === 0 && body.buffer.byteLength === body.length) &&
        read.every(
          (one) => one.plaintext.equals(plaintext) && one.records === 1 && one.recordSize === 4096,
        ) &&
        first !== undefined &&
        second !== undefined &&
        !first.salt.equals(second.salt) &&
        !first.keyId.equals(second.keyId)
      )
    }),
    { numRuns: 60 },
  )
  t.pass()
})

t.test('keys that nothing can be encrypted with, and a message of two records, have no body', async (t) => {
  const good = { p256dh: senderKeys.publicKey, auth: Buffer.alloc(16).toString('base64url') }
  const bodyOf = (over: Partial<typeof good>, length = 10) =>
    encryptAll([{ keys: { ...good, ...over }, plaintext: new Uint8Array(length) }])[0]
  t.ok(bodyOf({}))
  t.equal(bodyOf({}, 4079)?.length, 4079 + 103)
  t.equal(bodyOf({}, 4080), undefined)
  const anyText = fc.oneof(
    fc.string({ maxLength: 120 }),
    fc.uint8Array({ maxLength: 80 }).map((key) => Buffer.from(key).toString('base64url')),
    // Of the right form, and almost never a point.
    fc
      .uint8Array({ minLength: 64, maxLength: 64 })
      .map((key) => Buffer.from([4, ...key]).toString('base64url')),
  )
  fc.assert(fc.property(anyText, (p256dh) => bodyOf({ p256dh }) === undefined))
  const short = fc.uint8Array({ maxLength: 15 }).map((key) => Buffer.from(key).toString('base64url'))
  fc.assert(fc.property(short, (auth) => bodyOf({ auth }) === undefined))
})
