import { stat } from 'node:fs/promises'
import type { Instant } from '@almoner/domain'
import type { ImageFacts } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'

/** The second is a link that leads back to itself. */
const GONE: ReadonlyArray<unknown> = ['ENOENT', 'ELOOP']

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && GONE.includes(error.code)

/** Returns the metadata of a file, also behind a link (D10); undefined if it is missing or not a regular file. */
export const factsOf = async (path: string): Promise<ImageFacts | undefined> => {
  try {
    const stats = await stat(path)
    return stats.isFile() ? { size: stats.size, storedAt: instant(Math.round(stats.mtimeMs)) } : undefined
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** When a file was written; undefined as for its other facts. */
export const writtenAt = async (path: string): Promise<Instant | undefined> => (await factsOf(path))?.storedAt
