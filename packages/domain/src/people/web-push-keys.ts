import type { Subscription } from './subscription.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64 of either alphabet, with or without padding. */
const BASE64 = /^[\w+/-]+={0,2}$/

/** Returns the bytes of a Base64 text; none if it is no such text. */
const bytesOf = (text: string): ReadonlyArray<number> => {
  if (!BASE64.test(text)) return []
  const digits = [...text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')]
  const bits = digits.map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(6, '0')).join('')
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    Number.parseInt(bits.slice(8 * n, 8 * n + 8), 2),
  )
}

const numberOf = (bytes: ReadonlyArray<number>): bigint =>
  bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)

/** The curve P-256, y² = x³ - 3x + B modulo P (https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-186.pdf, 3.2.1.3). */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether bytes are an uncompressed point of the curve. */
const isPoint = (bytes: ReadonlyArray<number>): boolean => {
  const [x, y] = [numberOf(bytes.slice(1, 33)), numberOf(bytes.slice(33))]
  if (bytes.length !== 65 || bytes[0] !== 4 || x >= P || y >= P) return false
  return (y * y - (x * x * x - 3n * x + B)) % P === 0n
}

/** The bytes of the authentication secret (RFC 8291, 3.2). */
const SECRET = 16

/** Returns which keys of a subscription nothing can be encrypted with (RFC 8291): a `p256dh` that is no point of P-256, a short `auth`. */
export const unusableKeys = ({ p256dh, auth }: Subscription['keys']): ReadonlyArray<'p256dh' | 'auth'> => [
  ...(isPoint(bytesOf(p256dh)) ? [] : (['p256dh'] as const)),
  ...(bytesOf(auth).length >= SECRET ? [] : (['auth'] as const)),
]
