import type { Terminal } from '../terminal.ts'

/** A table for a person, in which no cell but the last is wider than its head, so that all batches align; JSON for a program. */
type Shown<A> = {
  readonly table: (rows: ReadonlyArray<A>) => string
  readonly document: (row: A) => unknown
}

type Batches<A> = AsyncIterable<ReadonlyArray<A>>

const lines = async function* <A>(batches: Batches<A>, { table }: Shown<A>) {
  yield `${table([])}\n`
  for await (const batch of batches) if (batch.length > 0) yield `${table(batch)}\n`.replace(/^.*\n/, '')
}

const json = async function* <A>(batches: Batches<A>, { document }: Shown<A>) {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + batch.map((row) => JSON.stringify(document(row))).join(',')
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** Prints a list while it is read from the database: it may not fit into memory. */
export const printBatches = async <A>(
  batches: Batches<A>,
  shown: Shown<A>,
  { terminal: { out }, asJson }: { readonly terminal: Terminal; readonly asJson: boolean },
): Promise<undefined> => {
  for await (const part of (asJson ? json : lines)(batches, shown)) await out(part)
}
