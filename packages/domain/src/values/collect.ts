import type { ResultSet } from './page.ts'

/** Returns all items of a result set, in order. Rejects if a batch cannot be read. For collections that fit into memory. */
export const collect = async <A, P>({ batches }: ResultSet<A, P>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const batch of batches) all.push(...batch)
  return all
}
