/** The header field that makes a POST safe to repeat (I4). */
export const KEY_HEADER = 'Idempotency-Key'

/** Returns a key of 128 random bits. `crypto.randomUUID` is missing in pages that come without TLS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
