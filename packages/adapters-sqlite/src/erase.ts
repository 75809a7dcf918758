import { randomInt } from 'node:crypto'
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

/** One erasure at a time in a process: another one would take its mark for that of an interrupted erasure, and rewrite the file. */
const TURN = { permits: 1, queueLimit: 64, timeout: 30_000 }

/** KiB of pages kept in memory by a rewrite of the database: it comes by each page once. */
const VACUUM_CACHE = 2000

/** A file's database, as an erasure needs it. */
export interface Erasable {
  readonly file: string
  /** The path of its write-ahead log. */
  readonly log: string
  readonly writer: Pick<Writer, 'write' | 'mark' | 'truncateLog'>
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

/** Marks are positive numbers of 32 bits, as `user_version` is. 1 is the mark of earlier versions. */
const [FIRST_MARK, PAST_MARKS] = [2, 2 ** 31]
const NO_MARK = 0

const readMark = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version ?? NO_MARK
}

const setMark = (db: Db, mark: number) => sql.raw(`pragma user_version = ${mark}`).execute(db)

/**
 * Makes the `erase` of a SQLite database. Deleted bytes are overwritten with zeros (`secure_delete`), the log is truncated, and then both files are
 * searched: SQLite may leave copies of a row in a page when it moves rows, and older versions of this program did not overwrite. The whole
 * database is rewritten only if something is found outside of the rows.
 *
 * Each erasure commits a random mark (`user_version`) with its write, and removes it when the files are clean. So an interrupted erasure is
 * completed later. A process removes only the mark under which it cleaned. An erasure that replaces the mark of another one, which may run in
 * another process or have been interrupted, rewrites the database, because it does not know the other one's texts.
 */
export const makeErase = ({ file, log, writer }: Erasable) => {
  const emptyLog = async (): Promise<void> => {
    for (let waited = 0; !(await writer.truncateLog()); waited += PAUSE) {
      if (waited >= READERS_WAIT) throw new DatabaseUnavailable('a reader of an old state keeps the log')
      await pause(PAUSE)
    }
  }

  /** Writes without a change that others have to hear of. */
  const write = <A>(work: (db: Db) => Promise<A>) =>
    writer.write<never, A>(async (db) => E.right(await work(db)), { notify: 'none' })

  /** @param texts what must not remain; undefined if that is not known any more */
  const removeRemains = async (mark: number, texts: ReadonlyArray<string> | undefined): Promise<void> => {
    await emptyLog()
    if (texts === undefined || (await hasRemains({ file, log }, texts))) {
      await vacuum(file)
      await emptyLog()
    }
    await write(async (db) => {
      if ((await readMark(db)) === mark) await setMark(db, NO_MARK)
    })
  }

  /** Completes an erasure that was interrupted. */
  const complete = async (): Promise<void> => {
    const mark = writer.mark()
    if (mark !== NO_MARK) await removeRemains(mark, undefined)
  }

  const eraseNow = async <L>(
    work: (db: Db) => Promise<E.Either<L, ReadonlyArray<string>>>,
  ): Promise<E.Either<L, void>> => {
    await complete()
    const mark = randomInt(FIRST_MARK, PAST_MARKS)
    let replaced = NO_MARK
    const erased = await writer.write(async (db) => {
      const texts = await work(db)
      if (E.isLeft(texts)) return texts
      replaced = await readMark(db)
      await setMark(db, mark)
      return texts
    })
    if (E.isLeft(erased)) return erased
    try {
      return E.right(await removeRemains(mark, replaced === NO_MARK ? erased.right : undefined))
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
