import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Makes sure that the file is there, and the folders above it. What is new belongs to its owner alone, since hashed secrets
 * will be in it; SQLite gives its side files (-wal, -shm) the same mode. What is there already keeps the mode it has.
 */
export const ensureDatabaseFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  closeSync(openSync(file, 'a', OWNER_ONLY))
}
