import { openThread } from './threads/open-thread.ts'

/** Milliseconds after which an idle thread ends. */
const IDLE = 30_000

const OPTIONS = { readonly: false, cache: 200, timeout: 0 }

/** Brings the pages of the log into the database, which may be many, in a thread (I6). */
export interface Checkpoints {
  /** Lets the next write begin the log again, if no reader needs it. Waits for none. */
  restart(): Promise<void>
  /**
   * Empties the log's file.
   * @param wait milliseconds for which it waits for readers and other writers
   * @returns false if one was in the way
   */
  truncate(wait: number): Promise<boolean>
  close(): Promise<void>
}

interface Outcome {
  readonly busy: number
}

/** Makes the checkpoints of a file. Their thread runs only while there is much to do. */
export const makeCheckpoints = (file: string): Checkpoints => {
  let thread: ReturnType<typeof openThread> | undefined
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.close()
  }

  const runNow = async (mode: 'restart' | 'truncate', wait: number): Promise<boolean> => {
    if (isClosed) return false
    if (thread?.isAlive() !== true) thread = openThread({ file, ...OPTIONS })
    clearTimeout(idle)
    const { execute } = thread
    await execute({ sql: `pragma busy_timeout = ${wait}`, parameters: [] })
    const { rows } = await execute<Outcome>({ sql: `pragma wal_checkpoint(${mode})`, parameters: [] })
    idle = setTimeout(() => void end(), IDLE).unref()
    return rows[0]?.busy === 0
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One at a time: each sets the wait of the thread's connection. */
  const run = (mode: 'restart' | 'truncate', wait: number): Promise<boolean> => {
    const next = last.then(() => runNow(mode, wait))
    last = next.catch(() => {})
    return next
  }

  return {
    restart: async () => {
      await run('restart', 0)
    },
    truncate: (wait) => run('truncate', wait),
    close: async () => {
      isClosed = true
      await end()
    },
  }
}
