import * as E from 'fp-ts/lib/Either.js'
import { decode } from '../values/faults.ts'
import { parameters } from '../values/parameters.ts'
import { FileName } from './file-name.ts'
import type { PortfolioImageKind } from './image.ts'
import { isRow } from './read-tables.ts'
import type { PortfolioTable } from './rows.ts'
import type { PortfolioSource } from './source.ts'

/** An image's file, and every row that shows it. */
export interface ImageUse {
  readonly kind: PortfolioImageKind
  readonly file: FileName
  readonly rows: ReadonlyArray<{ readonly table: PortfolioTable; readonly row: number }>
}

const PLACES: ReadonlyArray<{ readonly table: PortfolioTable; readonly kind: PortfolioImageKind }> = [
  { table: 'sectors', kind: 'logo' },
  { table: 'organizations', kind: 'logo' },
  { table: 'organizations', kind: 'visual' },
]

const Named = parameters({ name: 'Named', required: { file: FileName }, optional: {} })

const fileIn = (row: unknown, kind: PortfolioImageKind): ReadonlyArray<FileName> => {
  const read = isRow(row) ? decode(Named)({ file: row[kind] }) : undefined
  return read !== undefined && E.isRight(read) ? [read.right.file] : []
}

/** Every image that rows name, bad rows too, so that one answer tells all that is wrong (H1). Each file once. */
export const imageUses = ({ tables }: PortfolioSource): ReadonlyArray<ImageUse> => {
  const uses = new Map<string, ImageUse & { readonly rows: Array<ImageUse['rows'][number]> }>()
  for (const { table, kind } of PLACES)
    for (const [row, given] of (tables[table] ?? []).entries())
      for (const file of fileIn(given, kind)) {
        const key = `${kind}/${file}`
        const use = uses.get(key) ?? { kind, file, rows: [] }
        use.rows.push({ table, row })
        uses.set(key, use)
      }
  return [...uses.values()]
}
