import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Creates the file and its folders if they are missing, readable by the owner only, because the file will contain hashed secrets. SQLite gives
 * its side files (-wal, -shm) the same mode. Existing files keep their mode.
 */
export const ensureDatabaseFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  // An existing file is not opened: closing it would end the locks of other connections of this process.
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}
