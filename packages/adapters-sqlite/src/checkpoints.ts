import { openThread } from './threads/open-thread.ts'

/** Milliseconds after which an idle thread ends. */
const IDLE = 30_000

const OPTIONS = { readonly: false, cache: 200, timeout: 0 }

/**
 * Brings the pages of the log into the database, which may be many, in a thread (I6). It leaves the log's file to the writer: one that another
 * connection truncates changes the writer's `data_version`, as a write of another process does.
 */
export interface Checkpoints {
  /**
   * Stores all pages, so that the next write begins the log again.
   * @param wait milliseconds for which it waits for readers and other writers
   * @returns false if one was in the way
   */
  store(wait: number): Promise<boolean>
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

  const storeNow = async (wait: number): Promise<boolean> => {
    if (isClosed) return false
    if (thread?.isAlive() !== true) thread = openThread({ file, ...OPTIONS })
    clearTimeout(idle)
    const { execute } = thread
    await execute({ sql: `pragma busy_timeout = ${wait}`, parameters: [] })
    const { rows } = await execute<Outcome>({ sql: 'pragma wal_checkpoint(restart)', parameters: [] })
    idle = setTimeout(() => void end(), IDLE).unref()
    return rows[0]?.busy === 0
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    /** One at a time: each sets the wait of the thread's connection. */
    store: (wait) => {
      const next = last.then(() => storeNow(wait))
      last = next.catch(() => {})
      return next
    },
    close: async () => {
      isClosed = true
      await end()
    },
  }
}
