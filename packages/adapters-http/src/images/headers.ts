/** Lets pages of other origins show an image (D2). */
export const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Seconds for which clients may cache an image, which never changes. */
export const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60

/** An SVG is a document: opened by itself it may show what it draws, and run, load or open nothing (H1). */
const SVG_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The headers of an image by its name. */
export const imageHeaders = (name: string): Readonly<Record<string, string>> =>
  name.endsWith('.svg') ? { ...CORP, 'Content-Security-Policy': SVG_SECURITY } : CORP
