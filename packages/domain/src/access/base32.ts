/** The alphabet of RFC 4648, which has no 0, 1 and 8. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const bitsOf = (numbers: ReadonlyArray<number>, width: number): string =>
  numbers.map((number) => number.toString(2).padStart(width, '0')).join('')

/** Writes bytes in base32 (RFC 4648). Bits that fill no letter are dropped, so give a multiple of five bytes. */
export const toBase32 = (bytes: Uint8Array): string =>
  (bitsOf([...bytes], 8).match(/.{5}/g) ?? []).map((bits) => ALPHABET[Number.parseInt(bits, 2)]).join('')

/** Reads base32 in upper case, without padding. */
export const fromBase32 = (text: string): Uint8Array => {
  const bits = bitsOf(
    [...text].map((letter) => ALPHABET.indexOf(letter)),
    5,
  )
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
