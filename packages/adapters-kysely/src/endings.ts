import type { Db } from './engine.ts'

/** What is done at the end of a transaction, once for all of the values that its writes have left to it, in their order. */
export type Ending<A> = (db: Db, values: ReadonlyArray<A>) => Promise<void>

/** Leaves a value to an ending: it is run as the last thing in the transaction, unless the write that left it has failed. */
export type AtEnd = <A>(ending: Ending<A>, value: A) => void

/** What one write has left. */
export interface Left {
  readonly ending: Ending<never>
  readonly value: never
}

/** Begins to gather what a write leaves. */
export const gatherEndings = (): { readonly atEnd: AtEnd; readonly left: ReadonlyArray<Left> } => {
  const left: Array<Left> = []
  return {
    left,
    atEnd: (ending, value) => {
      left.push({ ending, value: value as never })
    },
  }
}

/** Runs what the writes of a transaction have left, each ending once. Throws what its statements throw. */
export const runEndings = async (db: Db, left: ReadonlyArray<Left>): Promise<void> => {
  const values = Map.groupBy(left, ({ ending }) => ending)
  for (const [ending, all] of values)
    await ending(
      db,
      all.map(({ value }) => value),
    )
}
