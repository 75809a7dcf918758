import type { Db, Engine } from '@almoner/adapters-kysely'
import { openConnection } from './connection.ts'
import { turnOfLoop } from './turn.ts'

/** KiB of pages kept in memory. */
const CACHE = 8000
const TIMEOUT = 5000

/** The connection that reads what takes a statement or a few. */
export interface Reader extends Pick<Engine, 'read' | 'state'> {
  /**
   * Has whatever is read from now on see a new state. To be called when another process has been found to have written; and right before this
   * process commits: the commit is then seen at once, and meets no reader, for whom the log would have to be kept and could only grow.
   */
  renew(): void
  close(): void
}

/**
 * Opens the reading connection of a file that exists. Beginning and ending a transaction takes SQLite as long as reading a page's index, so
 * that all who read in one turn of the event loop share one. It begins behind the arrival of whatever is answered in that turn: nobody is
 * shown less than what was committed before he asked.
 */
export const openReader = (file: string): Reader => {
  const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
  let begun = false
  let begunIn: number | undefined
  /** What data_version said last, the state that stands for it, and whether it was asked in this transaction. */
  let [version, state, isAsked]: [unknown, object, boolean] = [undefined, {}, false]

  const renew = () => {
    if (begun) connection.rollback()
    begun = false
  }

  const begin = () => {
    const turn = turnOfLoop()
    if (begun && turn === begunIn) return
    renew()
    connection.step('begin')
    begun = true
    begunIn = turn
    isAsked = false
    setImmediate(renew)
  }

  return {
    read: async <A>(work: (db: Db) => Promise<A>) => {
      begin()
      return work(connection.db)
    },
    state: () => {
      begin()
      if (isAsked) return state
      isAsked = true
      const found = connection.dataVersion()
      if (found !== version) state = {}
      version = found
      return state
    },
    renew,
    close: () => connection.close(),
  }
}
