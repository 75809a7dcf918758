import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { PRINTED } from './command.ts'
import { type Failure, notAvailable } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** How a list is shown: as a table for a person, as JSON for a program. */
export interface Shown<A> {
  /** Rows under their heads. No cell before the last is wider than its head, so that tables of several parts fit together. */
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

/** Prints a list as it is read from the database: there may be more than memory should hold. */
export const printBatches = <A>(
  batches: Batches<A>,
  shown: Shown<A>,
  { terminal: { out }, asJson }: { readonly terminal: Terminal; readonly asJson: boolean },
): TE.TaskEither<Failure, typeof PRINTED> =>
  TE.tryCatch(
    async (): Promise<typeof PRINTED> => {
      for await (const part of (asJson ? json : lines)(batches, shown)) await out(part)
      return PRINTED
    },
    (cause) => {
      if (cause instanceof DatabaseUnavailable) return notAvailable('the database')(cause)
      throw cause
    },
  )
