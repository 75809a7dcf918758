import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknown, DatabaseUnavailable, type Db, makeSemaphore } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { hasRemains } from './remains.ts'
import { openThread } from './threads/open-thread.ts'
import { whileBusy } from './unavailable.ts'
import type { Writer } from './writer.ts'

/** Milliseconds for which an erasure waits for readers of old states, and from one attempt to the next. */
const READERS_WAIT = 10_000
const PAUSE = 20

/** One erasure at a time in a process: another one would take its mark for that of an interrupted erasure. */
const TURN = { permits: 1, queueLimit: 64, timeout: 30_000 }

/** KiB of pages kept in memory by a rewrite of the database: it comes by each page once. */
const VACUUM_CACHE = 2000

/** A file's database, as an erasure needs it. */
export interface Erasable {
  readonly file: string
  /** The path of its write-ahead log. */
  readonly log: string
  readonly writer: Pick<Writer, 'write' | 'isMarked' | 'truncateLog'>
}

/** Rewrites the database without free space, in a thread. Readers go on meanwhile. */
const vacuum = async (file: string): Promise<void> => {
  const { execute, close } = openThread({ file, readonly: false, cache: VACUUM_CACHE, timeout: 0 })
  try {
    await whileBusy(() => execute({ sql: 'vacuum', parameters: [] }))
  } finally {
    await close()
  }
}

/**
 * Makes the `erase` of a SQLite database. Deleted bytes are overwritten with zeros (`secure_delete`), the log is truncated, and then both files are
 * searched: SQLite may leave copies of a row in a page when it moves rows, and older versions of this program did not overwrite. Only if
 * something is found outside of the rows, the whole database is rewritten. A mark in the file (`user_version`) is committed with the write and stays until that is
 * done, so that an interrupted erasure is completed later.
 */
export const makeErase = ({ file, log, writer }: Erasable) => {
  const emptyLog = async (): Promise<void> => {
    for (let waited = 0; !(await writer.truncateLog()); waited += PAUSE) {
      if (waited >= READERS_WAIT) throw new DatabaseUnavailable('a reader of an old state keeps the log')
      await pause(PAUSE)
    }
  }

  const mark = (value: 0 | 1) => (db: Db) => sql.raw(`pragma user_version = ${value}`).execute(db)

  /** @param texts what must not remain; undefined if that is not known any more */
  const removeRemains = async (texts: ReadonlyArray<string> | undefined): Promise<void> => {
    await emptyLog()
    if (texts === undefined || (await hasRemains({ file, log }, texts))) {
      await vacuum(file)
      await emptyLog()
    }
    await writer.write(async (db) => E.right(await mark(0)(db)), { notify: 'none' })
  }

  /** Completes an erasure that was interrupted. */
  const complete = async (): Promise<void> => {
    if (writer.isMarked()) await removeRemains(undefined)
  }

  const eraseNow = async <L>(
    work: (db: Db) => Promise<E.Either<L, ReadonlyArray<string>>>,
  ): Promise<E.Either<L, void>> => {
    await complete()
    const erased = await writer.write(async (db) => {
      const texts = await work(db)
      if (E.isRight(texts)) await mark(1)(db)
      return texts
    })
    if (E.isLeft(erased)) return erased
    try {
      return E.right(await removeRemains(erased.right))
    } catch (cause) {
      throw new CommitOutcomeUnknown('the data is erased, and remains of it may still be in the files', {
        cause,
      })
    }
  }

  const turn = makeSemaphore(TURN)
  const erase: typeof eraseNow = async (work) => {
    const release = await turn.acquire()
    try {
      return await eraseNow(work)
    } finally {
      release()
    }
  }

  return { erase, complete }
}
