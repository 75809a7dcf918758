import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Unavailable, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The files that seeding keeps beside a database. */
export interface DemoFiles {
  /** Is there while a seeding is under way, and after one that was interrupted. */
  readonly marker: string
  readonly credentials: string
  /** Holds the number of the process that is seeding. */
  readonly claim: string
}

export const demoFiles = (databaseFile: string): DemoFiles => ({
  marker: `${databaseFile}.seeding`,
  credentials: join(dirname(databaseFile), 'demo-credentials.json'),
  claim: `${databaseFile}.seeding.pid`,
})

/** Nobody but the owner reads secrets. */
const OWNER_ONLY = 0o600

/** Writes a file so that it is there whole, for its owner alone, or not at all. */
const write = async (file: string, text: string): Promise<void> => {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}

export const writePrivately = (file: string, text: string): TE.TaskEither<Unavailable, void> =>
  TE.tryCatch(() => write(file, text), unavailable)

export const remove = (file: string): TE.TaskEither<Unavailable, void> =>
  TE.tryCatch(() => rm(file, { force: true }), unavailable)

export const isThere = (file: string): boolean => existsSync(file)
