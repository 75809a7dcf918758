import type { Unavailable } from '@almoner/domain'
import { type ImageFiles, imageFilePath } from '@almoner/domain/ports'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { MIGRATIONS } from '../schema/migrations/list.ts'
import type { NamedImage, TransferTable } from '../transfer/table.ts'
import { TRANSFER_TABLES } from '../transfer/tables.ts'
import type { TransferSnapshot, TransferStore } from '../transfer/transfer-store.ts'
import {
  type ArchiveSink,
  type ArchiveWriter,
  packArchive,
  writeArchive,
  writeNewFile,
} from './archive-writer.ts'
import { type ArchiveRefused, aboutArchive } from './errors.ts'
import { MANIFEST, MISSING, rowsName } from './format.ts'
import { addImage, makeNewImages, untilSettled } from './images.ts'
import { manifestBytes, missingBytes, rejectMissing } from './manifest.ts'
import type { OnProgress } from './progress.ts'

/** How an archive is written. */
export interface WriteOptions {
  /** The new file. */
  readonly file: string
  /** Writes nothing when an image is missing. */
  readonly isStrict: boolean
  readonly onProgress: OnProgress
}

/** An archive that was written. */
export interface WrittenArchive {
  readonly images: number
  /** The paths of images that rows show and that are missing; the archive lists them too. */
  readonly missing: ReadonlyArray<string>
  /** The size of the archive. */
  readonly bytes: number
}

/** An entry, and the images that follow it. */
interface Piece {
  readonly name: string
  readonly bytes: Buffer
  readonly images: ReadonlyArray<NamedImage>
  /** Rows in it, and in the whole export. */
  readonly rows: number
  readonly total: number
}

/** A part of a table's rows ends with the line that reaches one of these. */
const PART_BYTES = 1024 * 1024
const PART_ROWS = 5000

/** Times that an export is written because an image was deleted meanwhile. */
const ATTEMPTS = 5

async function* piecesOfTable(
  snapshot: TransferSnapshot,
  table: TransferTable,
  total: number,
  newImages: ReturnType<typeof makeNewImages>,
): AsyncGenerator<Piece, void> {
  let lines: Array<string> = []
  let images: Array<NamedImage> = []
  let bytes = 0
  let parts = 0
  const piece = (): Piece => {
    parts += 1
    const name = rowsName(table.name, parts)
    const full = { name, bytes: Buffer.from(lines.join('')), images, rows: lines.length, total }
    lines = []
    images = []
    bytes = 0
    return full
  }
  for await (const rows of snapshot.rows(table))
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`
      bytes += Buffer.byteLength(line)
      images.push(...newImages(table, row))
      if (lines.push(line) === PART_ROWS || bytes >= PART_BYTES) yield piece()
    }
  if (lines.length > 0) yield piece()
}

/** Everything that an export holds. It depends on the content alone, not on the database. */
async function* piecesOf(snapshot: TransferSnapshot): AsyncGenerator<Piece, void> {
  const rows: Record<string, number> = {}
  for (const table of TRANSFER_TABLES) rows[table.name] = await snapshot.count(table)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const manifest = manifestBytes('export', { schema: MIGRATIONS.map(({ name }) => name), rows })
  yield { name: MANIFEST, bytes: manifest, images: [], rows: 0, total }
  const newImages = makeNewImages()
  for (const table of TRANSFER_TABLES) yield* piecesOfTable(snapshot, table, total, newImages)
}

/** What an export reads. */
export interface ExportSource {
  /** Has the current schema. */
  readonly store: TransferStore
  readonly files: ImageFiles
}

const writePieces = async (writer: ArchiveWriter, { store, files }: ExportSource, onProgress: OnProgress) => {
  let rows = 0
  let images = 0
  const missing: Array<string> = []
  for await (const piece of store.snapshot(piecesOf)) {
    await writer.add(piece.name, piece.bytes)
    for (const image of piece.images)
      if (await addImage(writer, files, image)) images += 1
      else missing.push(imageFilePath(image.file))
    rows += piece.rows
    onProgress('exporting', { done: rows, total: piece.total, units: 'rows' })
  }
  if (missing.length > 0) await writer.add(MISSING, missingBytes(missing))
  return { rows, images, missing }
}

/** Writes everything but access tokens, as it is at one moment, to one archive, while the service goes on. */
export const exportArchive = (
  source: ExportSource,
  { file, isStrict, onProgress }: WriteOptions,
): TE.TaskEither<ArchiveRefused | Unavailable, WrittenArchive & { readonly rows: number }> =>
  aboutArchive(file, () =>
    writeNewFile(file, (path) =>
      untilSettled(ATTEMPTS, isStrict, () =>
        writeArchive(path, (writer) => writePieces(writer, source, onProgress)),
      ),
    ),
  )

/** How an export is written to a stream: the one that takes its bytes, and the name of that. */
export interface StreamOptions extends WriteOptions {
  readonly sink: ArchiveSink
}

/**
 * As {@link exportArchive}, to a stream, from which nothing can be taken back: it is written once, so that images that are deleted meanwhile are
 * missing, and `isStrict` fails only after it was written.
 */
export const streamExport = (
  source: ExportSource,
  { file, isStrict, onProgress, sink }: StreamOptions,
): TE.TaskEither<ArchiveRefused | Unavailable, WrittenArchive & { readonly rows: number }> =>
  aboutArchive(file, async () => {
    let bytes = 0
    const counted: ArchiveSink = (chunks) =>
      sink(
        (async function* () {
          for await (const chunk of chunks) {
            bytes += chunk.length
            yield chunk
          }
        })(),
      )
    const done = await packArchive(counted, (writer) => writePieces(writer, source, onProgress))
    if (isStrict) rejectMissing(done.missing)
    return { ...done, bytes }
  })
