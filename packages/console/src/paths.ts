/** The folder of the console's files, directly below its pages. */
const FILES = /\/console\/assets\/[^/]*$/

/** The path of the service's public URL, below which its proxy serves it; empty at the root. This file's own URL has it. */
const BASE = FILES.test(import.meta.url) ? new URL(import.meta.url).pathname.replace(FILES, '') : ''

/** Returns the path of a page of the console as the browser sees it, under the path of the service's public URL (M13). */
export const at = (path: string): string => `${BASE}${path}`

/** Returns a path of the browser without that of the service's public URL, as {@link at} takes it; undefined for a path of another service. */
export const withoutBase = (path: string): string | undefined =>
  path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : undefined
