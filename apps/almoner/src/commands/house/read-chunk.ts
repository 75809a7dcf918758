import { type HouseTable, type Row, readRow } from '@almoner/adapters-kysely'

/** A row and the line on which it stands, from 1. */
export interface Line {
  readonly line: number
  readonly row: Row
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The texts between line ends; what stands behind the last of them is one too. */
function* textsOf(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at)
    const next = end < 0 ? bytes.length : end
    yield bytes.toString('utf8', at, next)
    at = next + 1
  }
}

/** The rows of a part of a table. `fault` hears everything that is wrong with any of them. */
export function* linesOf(
  table: HouseTable,
  bytes: Buffer,
  fault: (line: number, sentence: string) => void,
): Generator<Line, void> {
  let line = 0
  for (const text of textsOf(bytes)) {
    line += 1
    const value = json(text)
    const read = value === undefined ? { faults: ['is no JSON'] } : readRow(table, value)
    if ('row' in read) yield { line, row: read.row }
    else for (const sentence of read.faults) fault(line, sentence)
  }
}
