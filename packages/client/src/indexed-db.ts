/**
 * Keeps a copy in IndexedDB, for browsers.
 * @module @almoner/client/indexed-db
 */

import type { CopyEntry, CopyKey, CopyListener, CopyPosition, CopyStep, SyncStore } from './sync/model.ts'

const ENTRIES = 'entries'
const STATE = 'state'
/** The key of the position in {@link STATE}. */
const POSITION = 'position'

const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Resolves when a transaction is committed, and rejects when it is rolled back. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

const create = (database: IDBDatabase): void => {
  const entries = database.createObjectStore(ENTRIES, { keyPath: ['kind', 'id'] })
  entries.createIndex('rank', ['kind', 'rank'])
  entries.createIndex('pass', 'pass')
  database.createObjectStore(STATE)
}

/** Calls a function for each entry until it returns false. */
const each = (
  request: IDBRequest<IDBCursorWithValue | null>,
  visit: (cursor: IDBCursorWithValue) => boolean,
): Promise<void> =>
  new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      try {
        if (cursor !== null && visit(cursor)) cursor.continue()
        else resolve()
      } catch (error) {
        reject(error)
      }
    }
  })

/** Does a step in a transaction, and stops at once if the copy is elsewhere. */
const write = async (transaction: IDBTransaction, step: CopyStep) => {
  const [entries, state] = [transaction.objectStore(ENTRIES), transaction.objectStore(STATE)]
  const position: CopyPosition | undefined = await resultOf(state.get(POSITION))
  if (position?.cursor !== step.from) return undefined
  for (const entry of step.puts) entries.put(entry)
  for (const { kind, id } of step.removes) entries.delete([kind, id])
  state.put(step.to, POSITION)
  const swept: Array<CopyKey> = []
  if (step.sweeps)
    await each(entries.index('pass').openCursor(IDBKeyRange.upperBound(step.to.pass, true)), (cursor) => {
      const { kind, id }: CopyEntry = cursor.value
      swept.push({ kind, id })
      cursor.delete()
      return true
    })
  return swept
}

/**
 * Keeps a copy in an IndexedDB of the page's origin, created at first use. Several tabs may use one: each answer is stored in one
 * transaction by one of them, and all hear of its changes. Rejects as IndexedDB does, for example if the disk is full.
 * @param name the database; one for each service and each person who signs in
 */
export const indexedDbStore = (name = 'almoner'): SyncStore => {
  const listeners = new Set<CopyListener>()
  let opening: Promise<IDBDatabase> | undefined
  let channel: BroadcastChannel | undefined

  const others = (): BroadcastChannel => {
    if (channel === undefined) {
      channel = new BroadcastChannel(`almoner ${name}`)
      channel.onmessage = ({ data }) => {
        for (const listener of listeners) listener(data)
      }
    }
    return channel
  }

  const open = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => create(request.result)
    const database = await resultOf(request)
    // Another tab deletes the database or has a later version of this script; or the browser has ended the connection.
    database.onversionchange = () => {
      database.close()
      opening = undefined
    }
    database.onclose = () => {
      opening = undefined
    }
    return database
  }

  const begin = async (mode: IDBTransactionMode): Promise<IDBTransaction> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return (await opening).transaction([ENTRIES, STATE], mode)
  }

  return {
    position: async () => resultOf((await begin('readonly')).objectStore(STATE).get(POSITION)),
    apply: async (step) => {
      const transaction = await begin('readwrite')
      const end = committed(transaction)
      const [swept] = await Promise.all([write(transaction, step), end])
      return swept
    },
    get: async (kind, id) => resultOf((await begin('readonly')).objectStore(ENTRIES).get([kind, id])),
    scan: async (kind, visit) => {
      const index = (await begin('readonly')).objectStore(ENTRIES).index('rank')
      await each(index.openCursor(IDBKeyRange.bound([kind], [kind, []]), 'prev'), ({ value }) => visit(value))
    },
    clear: async () => {
      const transaction = await begin('readwrite')
      transaction.objectStore(ENTRIES).clear()
      transaction.objectStore(STATE).clear()
      await committed(transaction)
    },
    close: async () => {
      channel?.close()
      const database = await opening?.catch(() => undefined)
      database?.close()
      ;[channel, opening] = [undefined, undefined]
    },
    announce: (changes) => others().postMessage(changes),
    listen: (listener) => {
      listeners.add(listener)
      others()
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
