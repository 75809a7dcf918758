/** Returns an id of 128 random bits. `crypto.randomUUID` is missing in pages that come without TLS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
