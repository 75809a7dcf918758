import { at } from '../../paths.ts'
import { type BulkRun, interrupted } from './bulk.ts'

/** Names of stored acts, and of the locks that their pages hold. */
const PREFIX = `almoner.bulk${at('')}.`

/** Milliseconds for which the server knows the keys of requests (I4). An older act cannot be asked about. */
const KEY_LIFE = 24 * 60 * 60 * 1000

/** Stores an act in this browser. A browser without room stores none: the act goes on, and only the end of its page loses the report. */
export const storeRun = (run: BulkRun): void => {
  try {
    localStorage.setItem(`${PREFIX}${run.id}`, JSON.stringify(run))
  } catch {
    forgetRun(run.id)
  }
}

/** Removes a stored act. */
export const forgetRun = (id: string): void => localStorage.removeItem(`${PREFIX}${id}`)

/** Removes all stored acts, so that signing out leaves nothing of a person in the browser. */
export const forgetRuns = (): void => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
}

/** Milliseconds for which a page waits for an act of another one, which may just be ending. */
const PATIENCE = 2000

/**
 * Takes hold of an act until this page ends or the returned function is called. Resolves to undefined if another page has it. Browsers have
 * locks on https and on this machine; without them, an act belongs to the page that asks.
 */
export const holdRun = (id: string): Promise<(() => void) | undefined> =>
  new Promise((resolve) => {
    const { locks } = navigator as Partial<Navigator>
    if (locks === undefined) return resolve(() => {})
    locks
      .request(
        `${PREFIX}${id}`,
        { signal: AbortSignal.timeout(PATIENCE) },
        () => new Promise<void>((release) => resolve(release)),
      )
      .catch(() => resolve(undefined))
  })

const storedRuns = (): ReadonlyArray<BulkRun> =>
  Object.entries(localStorage).flatMap(([name, text]) =>
    name.startsWith(PREFIX) ? [JSON.parse(String(text)) as BulkRun] : [],
  )

/** An act that the end of its page has interrupted, held by this page. */
interface HeldRun {
  readonly run: BulkRun
  readonly release: () => void
}

/** Returns the latest act of a person whose page has ended. Removes acts that are too old to be asked about. */
export const takeInterrupted = async (email: string, now: number): Promise<HeldRun | undefined> => {
  for (const run of storedRuns().toSorted((a, b) => b.at - a.at)) {
    if (now - run.at > KEY_LIFE) forgetRun(run.id)
    else if (run.email === email) {
      const release = await holdRun(run.id)
      if (release !== undefined) return { run: interrupted(run), release }
    }
  }
  return undefined
}
