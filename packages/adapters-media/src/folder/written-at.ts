import { lstat } from 'node:fs/promises'
import { type Instant, instant } from '@almoner/domain'

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** When a file was written; undefined for one that has just been deleted, and for what is no plain file. */
export const writtenAt = async (path: string): Promise<Instant | undefined> => {
  try {
    const stats = await lstat(path)
    return stats.isFile() ? instant(Math.round(stats.mtimeMs)) : undefined
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}
