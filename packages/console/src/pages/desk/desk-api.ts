import { listCopies } from '../../content/editor/working-copies.ts'
import { consoleApi } from '../../session/api.ts'

/** Reads the desk of a day in a time zone, with the person's working copies. */
export const readDesk = async (timeZone: string, signal: AbortSignal) => {
  const [{ data, ...rest }, copies] = await Promise.all([
    consoleApi.get('/desk', { query: { timeZone }, signal }),
    listCopies(signal),
  ])
  return { ...rest, data: { ...data, copies } }
}

/** Reads how much was published in each of the last twelve months. */
export const readPublished = (signal: AbortSignal) => consoleApi.get('/published', { signal })

/** What waits for a content manager. */
export type Desk = Awaited<ReturnType<typeof readDesk>>['data']['desk']
