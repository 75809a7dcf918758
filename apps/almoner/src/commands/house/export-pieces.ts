import { HOUSE_TABLES, type HouseTable, type NamedImage, type Row, type View } from '@almoner/adapters-kysely'
import { MIGRATION_NAMES } from '../../compose.ts'
import { MANIFEST, rowsName } from './format.ts'
import { manifestBytes } from './manifest.ts'
import { makeNewImages } from './new-images.ts'

/** A part of an export: an entry, and the images that come behind it. */
export interface Piece {
  readonly name: string
  readonly bytes: Buffer
  /** Those that no row before has shown. */
  readonly images: ReadonlyArray<NamedImage>
  /** Rows in it. */
  readonly rows: number
  /** Rows in all; known from the first piece on. */
  readonly total: number
}

/** A part of a table has so many bytes at most, and a line more: enough to be quick, and few enough for memory. */
const BYTES = 1024 * 1024
/** And so many rows, since images come behind it. */
const ROWS = 5000

const lineOf = ({ columns }: HouseTable, row: Row): string => `${JSON.stringify(row, Object.keys(columns))}\n`

interface Gathering {
  lines: Array<string>
  bytes: number
  images: Array<NamedImage>
}

const fresh = (): Gathering => ({ lines: [], bytes: 0, images: [] })

type NewImages = ReturnType<typeof makeNewImages>

async function* partsOf(view: View, table: HouseTable, newImages: NewImages, total: number) {
  let n = 0
  let gathering = fresh()
  const piece = ({ lines, images }: Gathering): Piece => {
    n += 1
    return {
      name: rowsName(table.name, n),
      bytes: Buffer.from(lines.join('')),
      images,
      rows: lines.length,
      total,
    }
  }
  for await (const rows of view.rows(table))
    for (const row of rows) {
      const line = lineOf(table, row)
      gathering.lines.push(line)
      gathering.bytes += Buffer.byteLength(line)
      gathering.images.push(...newImages(table, row))
      if (gathering.bytes < BYTES && gathering.lines.length < ROWS) continue
      yield piece(gathering)
      gathering = fresh()
    }
  if (gathering.lines.length > 0) yield piece(gathering)
}

/** Everything that an export holds, in its order. It follows from the content alone, whatever engine it is in. */
export async function* piecesOf(view: View): AsyncGenerator<Piece, void> {
  const counts: Array<readonly [string, number]> = []
  for (const table of HOUSE_TABLES) counts.push([table.name, await view.count(table)])
  const rows = Object.fromEntries(counts)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const bytes = manifestBytes('export', { schema: MIGRATION_NAMES, rows })
  yield { name: MANIFEST, bytes, images: [], rows: 0, total }
  const newImages = makeNewImages()
  for (const table of HOUSE_TABLES) yield* partsOf(view, table, newImages, total)
}
