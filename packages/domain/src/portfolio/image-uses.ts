import { FileName } from '../media/model.ts'
import type { PortfolioImageKind } from '../media/portfolio-images.ts'
import { readColumn } from './read-column.ts'
import type { PortfolioTable } from './rows.ts'
import type { PortfolioSource } from './source.ts'

/** An image's file, and every row that shows it. */
export interface ImageUse {
  readonly kind: PortfolioImageKind
  readonly file: FileName
  readonly rows: ReadonlyArray<{ readonly table: PortfolioTable; readonly row: number }>
}

const PLACES = [
  { table: 'sectors', kind: 'logo', fileIn: readColumn('logo', FileName) },
  { table: 'organizations', kind: 'logo', fileIn: readColumn('logo', FileName) },
  { table: 'organizations', kind: 'visual', fileIn: readColumn('visual', FileName) },
] as const

/** Returns every image in the rows, once each. Includes rows with errors, so that all errors are reported at once (H1). */
export const imageUses = ({ tables }: PortfolioSource): ReadonlyArray<ImageUse> => {
  const uses = new Map<string, ImageUse & { readonly rows: Array<ImageUse['rows'][number]> }>()
  for (const { table, kind, fileIn } of PLACES)
    for (const [row, given] of (tables[table] ?? []).entries()) {
      const file = fileIn(given)
      if (file === undefined) continue
      const key = `${kind}/${file}`
      const use = uses.get(key) ?? { kind, file, rows: [] }
      use.rows.push({ table, row })
      uses.set(key, use)
    }
  return [...uses.values()]
}
