import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable, type Execute } from '@almoner/adapters-kysely'
import Database from 'better-sqlite3'
import { classified } from '../connection.ts'

/** The connection of a thread. */
export interface ThreadOptions {
  readonly file: string
  readonly readonly: boolean
  /** Pages kept in memory, in KiB. */
  readonly cache: number
  /** Milliseconds that a statement waits for another process's lock. */
  readonly timeout: number
}

/** A statement for a thread. */
export interface Question {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
}

/** What a statement gave; `code` is that of an error of SQLite. */
export type Answer =
  | { readonly rows: ReadonlyArray<unknown> }
  | { readonly error: string; readonly code?: string | undefined }

/** A connection in a separate thread: its statements leave the event loop free, however long they take (I6). */
interface DatabaseThread {
  /** Runs a statement after those before it. Throws as a connection in this thread does. */
  readonly execute: Execute
  /** Whether the thread can run statements still. */
  isAlive(): boolean
  /** Ends the thread once it has run the statements that it was given. */
  close(): Promise<void>
}

/** The file of the thread is this one's neighbour, as source or built. */
const FILE = new URL(`./database-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/** MiB of JavaScript objects of a thread, which holds one answer at a time. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

const rowsOf = (answer: Answer): ReadonlyArray<unknown> => {
  if ('rows' in answer) return answer.rows
  const { error, code } = answer
  throw code === undefined ? new Error(error) : new Database.SqliteError(error, code)
}

/** Starts a thread. It opens its connection with its first statement, and keeps the process alive while it has work. */
export const openThread = (options: ThreadOptions): DatabaseThread => {
  const worker = new Worker(FILE, { workerData: options, execArgv: [], resourceLimits: MEMORY })
  worker.unref()
  /** The waiting callers, in the order of their questions. */
  const waiting: Array<PromiseWithResolvers<Answer>> = []
  const ended = Promise.withResolvers<void>()
  let fault: DatabaseUnavailable | undefined
  let isClosing = false

  const fail = (cause: unknown): void => {
    fault ??= new DatabaseUnavailable(cause)
    for (const { reject } of waiting.splice(0)) reject(fault)
  }
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer)
    if (waiting.length === 0 && !isClosing) worker.unref()
  })
  worker.on('error', fail)
  worker.once('exit', () => {
    fail('the database is closed')
    ended.resolve()
  })

  return {
    execute: async <R>({ sql, parameters }: Question) => {
      if (fault !== undefined) throw fault
      const answer = Promise.withResolvers<Answer>()
      waiting.push(answer)
      worker.ref()
      worker.postMessage({ sql, parameters } satisfies Question)
      const given = await answer.promise
      return { rows: classified(() => rowsOf(given)) as Array<R> }
    },
    isAlive: () => fault === undefined,
    close: () => {
      isClosing = true
      worker.ref()
      worker.postMessage('close')
      return ended.promise
    },
  }
}
