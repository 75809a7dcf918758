/**
 * Bytes in memory of their own. Node cuts small buffers out of slabs of 64 KB, each of which stays for as long as anything cut out of it does:
 * what is kept for long among much that is not would hold sixty times its size.
 */
export const ownBytes = (bytes: Buffer): Buffer => {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  bytes.copy(own)
  return own
}
