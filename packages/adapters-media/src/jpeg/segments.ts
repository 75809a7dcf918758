import { viewOf } from '../picture/bytes.ts'
import { MOST_PARTS } from '../picture/picture.ts'

export const SOI = 0xd8
export const EOI = 0xd9
export const SOS = 0xda

/** A part of a JPEG file that begins with a marker. */
export interface Segment {
  readonly marker: number
  /** What stands between its length and, in a scan, the entropy-coded data. */
  readonly payload: Uint8Array
  /** The segment as it stands in the file, a scan with its entropy-coded data. */
  readonly whole: Uint8Array
}

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7

/** Markers without a length. TEM and a stray restart mean nothing between segments. */
const standsAlone = (code: number): boolean =>
  code === SOI || code === EOI || code === 0x01 || isRestart(code)

const isFiller = (code: number): boolean => code === 0x00
const isEntropyCoded = (code: number): boolean => code === 0x00 || isRestart(code)

/** Where the next marker begins, from `at` on; without one, the length. 0xFF may be repeated as filling before it. */
const markerFrom = (bytes: Uint8Array, at: number, isData: (code: number) => boolean): number => {
  for (let i = at; i + 1 < bytes.length; i++) {
    if (bytes[i] !== 0xff) continue
    const code = bytes[i + 1] ?? 0
    if (code !== 0xff && !isData(code)) return i
  }
  return bytes.length
}

/** Where the part before any entropy-coded data ends; none when the file does. */
const headEnd = (bytes: Uint8Array, view: DataView, at: number, marker: number): number | undefined => {
  if (standsAlone(marker)) return at + 2
  if (at + 4 > bytes.length) return undefined
  const length = view.getUint16(at + 2)
  const end = at + 2 + length
  return length < 2 || end > bytes.length ? undefined : end
}

/**
 * The segments of a file after its opening marker, to EOI or to where the file ends too early. Bytes between segments are
 * passed over, as every decoder does.
 */
export function* segmentsOf(bytes: Uint8Array): Generator<Segment, void> {
  const view = viewOf(bytes)
  let at = markerFrom(bytes, 2, isFiller)
  for (let parts = 0; parts < MOST_PARTS && at < bytes.length; parts++) {
    const marker = bytes[at + 1] ?? 0
    const head = headEnd(bytes, view, at, marker)
    if (head === undefined) return
    const end = marker === SOS ? markerFrom(bytes, head, isEntropyCoded) : head
    yield { marker, payload: bytes.subarray(at + 4, head), whole: bytes.subarray(at, end) }
    if (marker === EOI) return
    at = markerFrom(bytes, end, isFiller)
  }
}

/** A segment with its marker and length. */
export const segmentOf = (marker: number, payload: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(4 + payload.length)
  viewOf(whole).setUint16(0, 0xff00 | marker)
  viewOf(whole).setUint16(2, 2 + payload.length)
  whole.set(payload, 4)
  return whole
}
