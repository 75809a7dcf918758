import { latin1, viewOf } from '../picture/bytes.ts'
import { MOST_PARTS } from '../picture/picture.ts'

export const PNG_MAGIC = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Asked for on use: the module loads all that packs and unpacks, 4 MB. */
const crc32 = (bytes: Uint8Array): number => process.getBuiltinModule('node:zlib').crc32(bytes)

/** Bytes of a chunk besides its data: length, type and checksum. */
const FRAME = 12

export interface Chunk {
  readonly type: string
  readonly data: Uint8Array
  /** The chunk as it stands in the file. */
  readonly whole: Uint8Array
}

/** The chunks of a file, as long as they are whole and their checksums right. */
export function* chunksOf(bytes: Uint8Array): Generator<Chunk, void> {
  const view = viewOf(bytes)
  let at = PNG_MAGIC.length
  for (let parts = 0; parts < MOST_PARTS && at + FRAME <= bytes.length; parts++) {
    const end = at + FRAME + view.getUint32(at)
    if (end > bytes.length) return
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) }
    at = end
  }
}

/** A chunk with its length and checksum. */
export const chunkOf = (type: string, data: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(FRAME + data.length)
  const view = viewOf(whole)
  view.setUint32(0, data.length)
  whole.set(latin1(type), 4)
  whole.set(data, 8)
  view.setUint32(whole.length - 4, crc32(whole.subarray(4, whole.length - 4)))
  return whole
}
