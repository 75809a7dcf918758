import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

/** Encodes the few kinds of values that WebAuthn needs. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, one]) => [cbor(name), cbor(one)])])
}

const coseOf = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinates[0]],
      [-3, coordinates[1]],
    ]),
  )
}

/** User present and verified; and with a new key. */
const [VERIFIED, NEW_KEY] = [0x05, 0x40]

/** An authenticator of a browser at an origin, with one key. */
export const authenticator = async (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rpIdHash = sha256(new URL(origin).hostname)
  const id = randomBytes(16)
  let count = 0
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const counter = () => {
    count += 1
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(count)
    return bytes
  }
  const credential = (idOf: Buffer, response: Readonly<Record<string, Buffer>>): string => {
    const text = Object.fromEntries(
      Object.entries(response).map(([name, one]) => [name, one.toString('base64url')]),
    )
    const name = idOf.toString('base64url')
    return JSON.stringify({
      id: name,
      rawId: name,
      type: 'public-key',
      clientExtensionResults: {},
      response: text,
    })
  }
  return {
    id,
    /** Makes a passkey, and returns the browser's response. */
    create: async (challenge: string): Promise<string> => {
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([
        ...[rpIdHash, Buffer.from([VERIFIED | NEW_KEY]), counter(), Buffer.alloc(16), length, id],
        coseOf(publicKey),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return credential(id, {
        clientDataJSON: clientData('webauthn.create', challenge),
        attestationObject: cbor(attestation),
      })
    },
    /** Signs in, in the name of another authenticator's key if one is given, and returns the browser's response. */
    get: async (challenge: string, as?: { readonly id: Buffer }, flags = VERIFIED): Promise<string> => {
      const clientDataJSON = clientData('webauthn.get', challenge)
      const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([flags]), counter()])
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return credential(as?.id ?? id, { clientDataJSON, authenticatorData, signature })
    },
  }
}
