import { randomUUID } from 'node:crypto'
import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@almoner/domain'
import { MINUTE } from '@almoner/domain/values'
import { writtenAt } from './written-at.ts'

const PREFIX = '.tmp-'

/** Writing an image takes seconds even on a slow disk, so no process is still writing a file older than this. */
const STALE_AFTER = 60 * MINUTE

/** A fresh name for a file under way. It lies in the folder itself, as renaming must not cross file systems. */
export const temporaryName = (): string => `${PREFIX}${randomUUID()}`

/** Removes what crashes left half-written, and leaves alone what another process may be writing. */
export const removeStale = async (folder: string, now: Instant): Promise<void> => {
  for await (const { name } of await opendir(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(folder, name)
    const moment = await writtenAt(path)
    if (moment !== undefined && now - moment > STALE_AFTER) await rm(path, { force: true })
  }
}
