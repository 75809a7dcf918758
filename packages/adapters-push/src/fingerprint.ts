import { hash } from 'node:crypto'

/** Returns a short text that stands for credentials and does not reveal them: another one for other credentials (G15). */
export const fingerprintOf = (...parts: ReadonlyArray<string>): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, 16)
