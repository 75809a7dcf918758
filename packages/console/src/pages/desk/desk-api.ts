import { consoleApi } from '../../app/api.ts'
import { listCopies } from '../../items/editor/copies.ts'

/** Reads the desk, with the person's working copies. */
export const readDesk = async (signal: AbortSignal) => {
  const [{ data, ...rest }, copies] = await Promise.all([
    consoleApi.get('/desk', { signal }),
    listCopies(signal),
  ])
  return { ...rest, data: { ...data, copies } }
}

/** What waits for a content manager. */
export type Desk = Awaited<ReturnType<typeof readDesk>>['data']['desk']
