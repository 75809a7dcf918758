import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import {
  type PortfolioImage,
  type PortfolioImageKind,
  type PortfolioImageName,
  plainImageNames,
  portfolioImagePath,
} from '../media/portfolio-images.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { Language } from '../values/text.ts'
import { storedPaths } from './loading.ts'
import { type PortfolioContent, type PortfolioOf, storedImagesOf, withImages } from './model.ts'
import type { PortfolioPorts } from './ports.ts'
import { columnsOf, fileRow, PORTFOLIO_TABLES, type PortfolioTable } from './source.ts'

/** What parts the cells of a CSV file: commas, or semicolons where commas are decimal. */
export type Separator = ',' | ';'

/** A text that a spreadsheet would read as a formula, perhaps behind apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/

const quoted = (cell: string | number | undefined, separator: Separator): string => {
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell ?? '')
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows that are written at once: about a millisecond of work. */
const PIECE = 200

/** Yields a table as CSV (RFC 4180), in pieces. The mark at its beginning makes spreadsheets read it as UTF-8. */
function* csvPieces(
  table: PortfolioTable,
  rows: ReadonlyArray<PortfolioOf<string>[PortfolioTable][number]>,
  separator: Separator,
): Generator<string> {
  const columns = columnsOf(table)
  const line = (cells: ReadonlyArray<string | number | undefined>): string =>
    `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`
  yield `\uFEFF${line(columns)}`
  for (let from = 0; from < rows.length; from += PIECE)
    yield rows
      .slice(from, from + PIECE)
      .map((row) => fileRow(table, row as never))
      .map((row) => line(columns.map((column) => row[column])))
      .join('')
}

/** A file of an exported portfolio, by its path below the folder. */
export interface ExportedFile {
  readonly path: string
  /** Parts of a text, or a stored image. */
  readonly content: Iterable<string> | PortfolioImage
}

/** Yields the files of a portfolio, as a load takes them: all tables as CSV, and the images that they name (H1). */
export function* portfolioFiles(content: PortfolioContent, separator: Separator): Generator<ExportedFile> {
  const images = storedImagesOf(content)
  const names = new Map<PortfolioImageKind, ReadonlyMap<PortfolioImageName, string>>()
  for (const kind of new Set(images.map((image) => image.kind)))
    names.set(kind, plainImageNames(images.filter((image) => image.kind === kind).map(({ name }) => name)))
  const fileOf = (kind: PortfolioImageKind, name: PortfolioImageName) => names.get(kind)?.get(name) ?? name
  const named = withImages(fileOf)(content)
  yield { path: 'portfolio.json', content: [`${JSON.stringify({ name: content.name })}\n`] }
  for (const table of PORTFOLIO_TABLES)
    yield { path: `${table}.csv`, content: csvPieces(table, named[table], separator) }
  for (const image of images)
    yield { path: `${image.kind}/${fileOf(image.kind, image.name)}`, content: image }
}

/** Parameters of GET /portfolio/archive. */
export const ExportPortfolio = parameters({
  name: 'ExportPortfolio',
  required: {},
  optional: { lang: Language },
})
export type ExportPortfolio = typeof ExportPortfolio._A

/** An exported portfolio. */
export interface ExportedPortfolio {
  readonly files: Iterable<ExportedFile>
  /** Returns the bytes of an image; none if it is missing. */
  readonly read: (image: PortfolioImage) => TE.TaskEither<Unavailable, O.Option<Uint8Array>>
}

/**
 * Returns the portfolio as the files of a load, from which the next edit starts: loading them changes nothing (H1). In French the cells are
 * parted by semicolons, as spreadsheets of French systems read them. An image that is missing in the storage is missing in the export.
 */
export const makeExportPortfolio =
  (ports: Pick<PortfolioPorts, 'portfolio' | 'portfolioImages'>) =>
  (
    caller: Caller,
    { lang }: ExportPortfolio,
  ): TE.TaskEither<InsufficientScope | Unavailable, ExportedPortfolio> =>
    permitted(
      'exportPortfolio',
      caller,
    )(() =>
      pipe(
        TE.Do,
        TE.bind('content', () => ports.portfolio.content()),
        TE.bind('stored', () => storedPaths(ports)),
        TE.map(({ content, stored }) => ({
          files: [...portfolioFiles(content, lang === 'fr' ? ';' : ',')].filter(
            (file) => !('kind' in file.content) || stored.has(portfolioImagePath(file.content)),
          ),
          read: ports.portfolioImages.read,
        })),
      ),
    )
