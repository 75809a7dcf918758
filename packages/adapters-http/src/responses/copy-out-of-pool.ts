/**
 * Copies a small buffer out of Node's pool. Node cuts small buffers out of slabs of 64 KB, and a slab stays in memory as long as any of
 * them: a cached buffer among many short-lived ones would hold sixty times its size.
 */
export const copyOutOfPool = (bytes: Buffer): Buffer => {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  bytes.copy(own)
  return own
}
