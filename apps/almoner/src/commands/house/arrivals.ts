import { type Arrival, HOUSE_TABLES } from '@almoner/adapters-kysely'
import { ArchiveFault } from './archive-fault.ts'
import type { ArchiveReader } from './archive-reader.ts'
import { type Line, linesOf } from './read-chunk.ts'

/** Rows that are loaded at a time. */
const ROWS = 500

const tableOf = (name: string) => {
  const [, table] = /^rows\/(\w+)-\d{6}\.ndjson$/.exec(name) ?? []
  return HOUSE_TABLES.find((one) => one.name === table)
}

const changed = (): never => {
  throw new ArchiveFault('changed while it was read')
}

/** The rows of an export that was verified, some hundred at a time, in its order. */
export async function* arrivalsIn(reader: ArchiveReader): AsyncGenerator<Arrival, void> {
  for await (const entry of reader.entries()) {
    const table = tableOf(entry.name)
    if (table === undefined) continue
    let rows: Array<Line> = []
    for (const line of linesOf(table, await reader.bytes(entry), changed)) {
      rows.push(line)
      if (rows.length < ROWS) continue
      yield { table, place: entry.name, rows }
      rows = []
    }
    if (rows.length > 0) yield { table, place: entry.name, rows }
  }
}
