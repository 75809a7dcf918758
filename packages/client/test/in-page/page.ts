// The part of the test of IndexedDB that runs in a page.
import { type CopyChange, createClient, createSync } from '../../src/index.ts'
import { indexedDbStore } from '../../src/indexed-db.ts'
import { LASTING_CONTRACT, STORE_CONTRACT } from '../support/store-contract.ts'

/** Runs the contract of stores. Returns its failures. */
const contract = async (): Promise<ReadonlyArray<string>> => {
  const failures: Array<string> = []
  for (const { name, check } of [...STORE_CONTRACT, ...LASTING_CONTRACT])
    await check(() => indexedDbStore(name)).catch((error: unknown) => failures.push(`${name}: ${error}`))
  return failures
}

const store = indexedDbStore('shared')
const client = createClient({
  baseUrl: `${location.origin}/api`,
  token: async () => ({ access_token: 'of the page' }),
})
const copy = createSync({ client, store, lim: 2 })
const heard: Array<CopyChange> = []
copy.subscribe((changes) => heard.push(...changes))
let controller = new AbortController()
let running = Promise.resolve()

const page = {
  contract,
  start: () => {
    controller = new AbortController()
    running = copy.run({ signal: controller.signal })
  },
  stop: async () => {
    controller.abort()
    await running
  },
  titles: async () => (await copy.list('library')).map(({ itemTitle }) => itemTitle).join(),
  heard: () => heard.splice(0).map((change) => ('id' in change ? change.id : change.kind)),
  /** Deletes the database while it is in use, as the settings of a browser do. */
  drop: () =>
    new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase('shared')
      request.onsuccess = () => resolve()
      request.onerror = () => reject(request.error)
    }),
}

/** The functions that the test calls. */
export type PageFunctions = typeof page

Object.assign(globalThis, page)
