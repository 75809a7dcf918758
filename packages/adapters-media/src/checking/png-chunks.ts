/** Length, type and checksum around the data of a chunk. */
const FRAME = 12
const SIGNATURE = 8

/** A chunk, from its length to its checksum. */
export interface PngChunk {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Yields the chunks of a PNG up to IEND, as far as they are whole. */
export function* pngChunks(bytes: Buffer): Generator<PngChunk, void> {
  let start = SIGNATURE
  while (start + FRAME <= bytes.length) {
    const type = bytes.toString('latin1', start + 4, start + 8)
    const end = start + FRAME + bytes.readUInt32BE(start)
    if (end > bytes.length) return
    yield { type, start, end }
    if (type === 'IEND') return
    start = end
  }
}

/** Returns the file with a chunk moved in front of another one. */
export const moveChunk = (bytes: Buffer, { start, end }: PngChunk, { start: to }: PngChunk): Buffer =>
  Buffer.concat([
    bytes.subarray(0, to),
    bytes.subarray(start, end),
    bytes.subarray(to, start),
    bytes.subarray(end),
  ])
