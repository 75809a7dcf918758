/** What every answer with an image says besides what the image is: it is the same for ever, and pages of other origins may show it (D2). */
export const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Seconds that an image may be kept by whoever has it. */
export const FOREVER = 365 * 24 * 60 * 60

/** An SVG is a document: opened by itself it may show what it draws, and run, load or open nothing (H1). */
const SVG_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The headers of an image by its name. */
export const imageHeaders = (name: string): Readonly<Record<string, string>> =>
  name.endsWith('.svg') ? { ...CORP, 'Content-Security-Policy': SVG_SECURITY } : CORP
