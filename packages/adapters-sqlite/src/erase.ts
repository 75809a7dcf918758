import { randomInt } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db, makeSemaphore } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type { ErasureUnfinished } from '@almoner/domain/ports'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import { isFull, whileBusy, withDriver } from './connection.ts'
import { IN_USE, type InUse, isInUse } from './database-file.ts'
import { hasRemains } from './remains.ts'
import { openThread } from './threads/open-thread.ts'
import type { Writer } from './writer.ts'

/** Milliseconds for which an erasure waits for readers of old states, and from one attempt to the next. */
const READERS_WAIT = 10_000
const PAUSE = 20

/** One erasure at a time in a process: another one would take its mark for that of an interrupted erasure, and rewrite the file. */
const TURN = { permits: 1, queueLimit: 64, timeout: 30_000 }

/** KiB of pages kept in memory by a rewrite of the database: it comes by each page once. */
const VACUUM_CACHE = 2000

/** A file's database, as an erasure needs it. */
interface Erasable {
  readonly file: string
  /** The path of its write-ahead log. */
  readonly log: string
  readonly writer: Pick<Writer, 'write' | 'truncateLog'>
  /** The mark of the file unless given. */
  readonly mark?: Mark
}

/**
 * Lets SQLite make its temporary files beside a database, on the disk that is large enough for it, instead of in the folder of the system or in
 * memory. SQLite asks the environment each time. Only VACUUM makes large files; other work uses memory.
 */
const useFolderOf = (file: string): void => {
  process.env['SQLITE_TMPDIR'] = dirname(realpathSync(file))
}

/** Rewrites the database without free space, in a thread. Readers go on meanwhile. */
const vacuum = async (file: string): Promise<void> => {
  useFolderOf(file)
  const { execute, close } = openThread({ file, readonly: false, cache: VACUUM_CACHE, timeout: 0 })
  try {
    await execute({ sql: 'pragma temp_store = file', parameters: [] })
    await whileBusy(() => execute({ sql: 'vacuum', parameters: [] }))
  } finally {
    await close()
  }
}

/** Marks are positive numbers of 32 bits, as `user_version` is. 1 is the mark of earlier versions. */
const [FIRST_MARK, PAST_MARKS] = [2, 2 ** 31]
const NO_MARK = 0

/** Where the mark of an unfinished erasure is: it is read and set within transactions. */
interface Mark {
  readonly read: (db: Db) => Promise<number>
  readonly set: (db: Db, mark: number) => Promise<unknown>
}

/** The mark of a file that has no other tables. */
export const FILE_MARK: Mark = {
  read: async (db) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
    return rows[0]?.user_version ?? NO_MARK
  },
  set: (db, mark) => sql.raw(`pragma user_version = ${mark}`).execute(db),
}

/** Begins the row of a mark; digests are hexadecimal. */
const MARK_ROW = 'mark '

const markRows = (db: Db) => db.selectFrom('unfinished_erasure').where('digest', 'like', `${MARK_ROW}%`)

/** The mark beside tables of other programs, which may use `user_version` themselves. */
export const TABLE_MARK: Mark = {
  read: async (db) => {
    const row = await markRows(db).select('digest').executeTakeFirst()
    return row === undefined ? NO_MARK : Number(row.digest.slice(MARK_ROW.length))
  },
  set: async (db, mark) => {
    await db.deleteFrom('unfinished_erasure').where('digest', 'like', `${MARK_ROW}%`).execute()
    if (mark !== NO_MARK) await keep(db, `${MARK_ROW}${mark}`)
  },
}

/** Returns whether a database has the mark of an erasure whose remains may still be in its files (L1). */
export const isErasureUnfinished = (file: string): TE.TaskEither<Unavailable, boolean> =>
  withDriver(
    () => new Database(file, { readonly: true, fileMustExist: true }),
    (database) => database.pragma('user_version', { simple: true }) !== NO_MARK,
  )

const unfinished = (cause: unknown): E.Either<ErasureUnfinished, never> =>
  E.left({ _tag: 'ErasureUnfinished', isDiskFull: isFull(cause), cause })

const isKept = async (db: Db, digest: string): Promise<boolean> =>
  (await db
    .selectFrom('unfinished_erasure')
    .select('digest')
    .where('digest', '=', digest)
    .executeTakeFirst()) !== undefined

const keep = (db: Db, digest: string) =>
  db
    .insertInto('unfinished_erasure')
    .values({ digest })
    .onConflict((on) => on.doNothing())
    .execute()

/**
 * Makes the `erase` of a SQLite database. Deleted bytes are overwritten with zeros (`secure_delete`), the log is truncated, and then both files are
 * searched: SQLite may leave copies of a row in a page when it moves rows, and older versions of this program did not overwrite. The whole
 * database is rewritten only if something is found outside of the rows.
 *
 * Each erasure commits a random mark (`user_version`) with its write, and removes it when the files are clean. So an interrupted erasure is
 * completed later. A process removes only the mark under which it cleaned. An erasure that replaces the mark of another one, which may run in
 * another process or have been interrupted, rewrites the database, because it does not know the other one's texts.
 *
 * The digest of the address is stored as long as the mark is, so that a repeat is known to be one. If a start of the service removes the remains,
 * the digest stays for the repeat, and goes with the next start.
 */
export const makeErase = ({ file, log, writer, mark: marks = FILE_MARK }: Erasable) => {
  const emptyLog = async (): Promise<void> => {
    for (let waited = 0; !(await writer.truncateLog()); waited += PAUSE) {
      if (waited >= READERS_WAIT) throw new DatabaseUnavailable('a reader of an old state keeps the log')
      await pause(PAUSE)
    }
  }

  /** Writes without a change that others have to hear of. */
  const write = <A>(work: (db: Db) => Promise<A>) =>
    writer.write<never, A>(async (db) => E.right(await work(db)), { notify: 'none' }) as Promise<E.Right<A>>

  /** @param texts what must not remain; undefined if that is not known any more */
  const removeRemains = async (
    mark: number,
    texts: ReadonlyArray<string> | undefined,
    digests: 'delete' | 'leave',
  ): Promise<void> => {
    await emptyLog()
    if (texts === undefined || (await hasRemains({ file, log }, texts))) {
      await vacuum(file)
      await emptyLog()
    }
    await write(async (db) => {
      if ((await marks.read(db)) !== mark) return
      await marks.set(db, NO_MARK)
      if (digests === 'delete') await db.deleteFrom('unfinished_erasure').execute()
    })
  }

  /** Completes an erasure that was interrupted. */
  const complete = async (): Promise<void> => {
    const { right: mark } = await write(marks.read)
    if (mark !== NO_MARK) await removeRemains(mark, undefined, 'leave')
  }

  /** Completes an erasure that was interrupted, or forgets one whose remains an earlier start of the service removed. */
  const resume = async (reader: Db): Promise<void> => {
    if ((await marks.read(reader)) !== NO_MARK) return complete()
    const left = await reader.selectFrom('unfinished_erasure').select('digest').limit(1).execute()
    if (left.length > 0) await write((db) => db.deleteFrom('unfinished_erasure').execute())
  }

  const eraseNow = async <L>(
    work: (db: Db) => Promise<E.Either<L, ReadonlyArray<string>>>,
    digest?: string,
  ): Promise<E.Either<L | ErasureUnfinished, void>> => {
    const mark = randomInt(FIRST_MARK, PAST_MARKS)
    let [replaced, isRepeat, isWritten] = [NO_MARK, false, false]
    try {
      const erased = await writer.write(async (db) => {
        isRepeat = digest !== undefined && (await isKept(db, digest))
        const texts = await work(db)
        if (E.isLeft(texts)) return texts
        replaced = await marks.read(db)
        await marks.set(db, mark)
        if (digest !== undefined) await keep(db, digest)
        return texts
      })
      if (E.isLeft(erased)) {
        await complete().catch(() => {})
        return erased
      }
      isWritten = true
      const texts = replaced === NO_MARK ? erased.right : undefined
      return E.right(await removeRemains(mark, texts, digest === undefined ? 'leave' : 'delete'))
    } catch (cause) {
      if (isWritten || isRepeat) return unfinished(cause)
      throw cause
    }
  }

  const turn = makeSemaphore(TURN)
  const erase: typeof eraseNow = async (work, digest) => {
    const release = await turn.acquire()
    try {
      return await eraseNow(work, digest)
    } finally {
      release()
    }
  }

  return { erase, resume }
}

/** Sizes of a database file, in bytes. */
export interface Vacuumed {
  readonly before: number
  readonly after: number
}

/**
 * Shrinks a database file to its content, which SQLite never does by itself. It rewrites the database beside the old one and then over it, in
 * one transaction, so a crash leaves it complete. Needs room for the content twice, beside the database.
 * @returns InUse without a change, if another process has the database open
 */
export const vacuumSqlite = (file: string): TE.TaskEither<InUse | Unavailable, Vacuumed> =>
  pipe(
    withDriver(
      () => new Database(file, { fileMustExist: true }),
      (database): E.Either<InUse, Vacuumed> => {
        if (isInUse(database)) return E.left(IN_USE)
        const before = statSync(file).size
        useFolderOf(file)
        database.exec('vacuum')
        return E.right({ before, after: statSync(file).size })
      },
    ),
    TE.flatMapEither(identity),
  )
