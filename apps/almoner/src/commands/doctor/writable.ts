import { dirname } from 'node:path'
import { type Found, fault } from './finding.ts'
import type { Machine } from './machine.ts'
import { codeOf, isThere } from './places.ts'

/** What to do about a file system that takes nothing more. */
export const MEND_READ_ONLY =
  'mount it for writing; the kernel shuts it by itself after a fault of the disk: look at dmesg'

const WHY: Readonly<Record<string, { readonly what: string; readonly fix: string }>> = {
  EROFS: {
    what: 'is on a file system that is mounted read-only',
    fix: MEND_READ_ONLY,
  },
  EACCES: {
    what: 'cannot be written by this user',
    fix: 'run the service as the owner, or give the folder and what is in it to this user (chown -R)',
  },
}

/** What keeps a database's file from being written: SQLite needs its folder, too, for the files beside it. */
export const unwritable = async (file: string, { mayWrite }: Machine): Promise<Found | undefined> => {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`])
    try {
      if (await isThere(path)) await mayWrite(path)
    } catch (cause) {
      const why = WHY[codeOf(cause)]
      if (why !== undefined) return fault(`${path} ${why.what}`, why.fix)
      throw cause
    }
  return undefined
}
