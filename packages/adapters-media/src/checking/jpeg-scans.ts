const SOS = 0xda
const EOI = 0xd9

/** Markers without a length: restarts, TEM and SOI. */
const standsAlone = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd8)

/** In a scan, 0xFF is data when 0x00 or a restart marker follows. */
const isScanData = (code: number): boolean => code === 0x00 || (code >= 0xd0 && code <= 0xd7)

/** Returns the place of the first marker from `at` on. 0xFF may be repeated before a marker. */
const nextMarker = (bytes: Buffer, at: number): number => {
  let i = bytes.indexOf(0xff, at)
  for (; i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
    const code = bytes[i + 1] ?? 0
    if (code !== 0xff && !isScanData(code)) return i
  }
  return bytes.length
}

/** What walking the segments of a JPEG finds. */
export interface JpegScans {
  readonly scans: number
  /** Whether the file has an end marker. The decoder takes one that ends right after its data. */
  readonly hasEnd: boolean
}

/**
 * Counts the scans of a JPEG, up to its end marker. The decoder goes over the whole image for each scan, beyond the reach of its time
 * limit.
 */
export const jpegScans = (bytes: Buffer): JpegScans => {
  let scans = 0
  for (let at = nextMarker(bytes, 2); at + 1 < bytes.length; ) {
    const code = bytes[at + 1] ?? 0
    if (code === EOI) return { scans, hasEnd: true }
    if (code === SOS) scans += 1
    const hasLength = !standsAlone(code) && at + 3 < bytes.length
    at = nextMarker(bytes, at + 2 + (hasLength ? bytes.readUInt16BE(at + 2) : 0))
  }
  return { scans, hasEnd: false }
}
