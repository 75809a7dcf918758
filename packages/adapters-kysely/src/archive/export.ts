import { buffer } from 'node:stream/consumers'
import type { Ports, Unavailable } from '@almoner/domain'
import type { ImageType } from '@almoner/domain/media'
import { type ImageFile, type ImageFiles, imageFilePath, imageFileType } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { MIGRATIONS } from '../schema/migrations/migrator.ts'
import { TRANSFER_TABLES, type TransferSnapshot, type TransferStore } from '../transfer/load.ts'
import type { NamedImage, Row, TransferTable } from '../transfer/table.ts'
import {
  type Archive,
  type ArchiveSink,
  type ArchiveWriter,
  bytesOf,
  imageName,
  imageOfName,
  MANIFEST,
  MISSING,
  packArchive,
  rowsName,
  writeArchive,
  writeNewFile,
} from './archive.ts'
import { ArchiveError, type ArchiveRefused, aboutArchive, orThrow } from './errors.ts'
import { manifestBytes, missingBytes, rejectMissing } from './manifest.ts'

/** Images stored at a time: storing one is mostly waiting for the disk or the network. */
const CONCURRENCY = 8

const IN_FLIGHT =
  'cannot be written: images are deleted faster than they are copied. Try again when no items are edited'

/** Makes a function that returns the images that no earlier row shows. Only those of the portfolio can repeat, and are remembered. */
export const makeNewImages = (): ((table: TransferTable, row: Row) => ReadonlyArray<NamedImage>) => {
  const seen = new Set<string>()
  return ({ name, images }, row) => {
    const shown = images?.(row) ?? []
    if (name === 'media') return shown
    return shown.filter(({ file }) => !seen.has(imageName(file)) && seen.add(imageName(file)))
  }
}

/** Reads an image; undefined when it is missing, or not as large as its row says. */
const readImage = async (files: ImageFiles, { file, bytes: size }: NamedImage) => {
  const opened = await orThrow(files.open(file), 'cannot be written: images are not available')
  if (O.isNone(opened)) return undefined
  try {
    const bytes = await buffer(opened.value.bytes)
    return size === undefined || size === bytes.length ? bytes : undefined
  } catch (cause) {
    // It may be deleted after it was opened.
    const found = await files.look(file)()
    if (E.isRight(found) && O.isNone(found.right)) return undefined
    throw cause
  }
}

/** Adds an image to an archive; returns false when it is missing. */
export const addImage = async (writer: ArchiveWriter, files: ImageFiles, image: NamedImage) => {
  const bytes = await readImage(files, image)
  if (bytes !== undefined) await writer.add(imageName(image.file), bytes)
  return bytes !== undefined
}

/**
 * Repeats an attempt until it misses only images that the one before missed too: others were deleted after the database was read. Throws
 * {@link ArchiveError} after too many attempts, and if `isStrict` when any are missing.
 */
export const untilSettled = async <A extends { readonly missing: ReadonlyArray<string> }>(
  attempts: number,
  isStrict: boolean,
  attempt: () => Promise<A>,
): Promise<A> => {
  let before = new Set<string>()
  for (let left = attempts; left > 0; left -= 1) {
    const done = await attempt()
    if (done.missing.every((path) => before.has(path))) {
      if (isStrict) rejectMissing(done.missing)
      return done
    }
    before = new Set(done.missing)
  }
  throw new ArchiveError(IN_FLIGHT)
}

/** Where the images of an archive are stored. */
export type ImageStores = Pick<Ports, 'mediaStore' | 'portfolioImages'>

const store = (
  { mediaStore, portfolioImages }: ImageStores,
  file: ImageFile,
  bytes: Buffer,
): TE.TaskEither<Unavailable, void> => {
  if (file.kind === 'rendition') return mediaStore.putRendition(file.name, bytes)
  return file.kind === 'upload'
    ? // An upload's name ends as its type does, and was checked when it was uploaded.
      mediaStore.put(file.name, { type: imageFileType(file) as ImageType, bytes })
    : portfolioImages.put(file, bytes)
}

/** Stores the images of an archive, replacing existing ones, so that an interrupted command can be rerun. */
export const storeImages = async (
  archive: Archive,
  stores: ImageStores,
  onProgress: OnProgress,
): Promise<void> => {
  let batch: Array<readonly [ImageFile, Buffer]> = []
  const put = ([file, bytes]: (typeof batch)[number]): Promise<void> =>
    orThrow(store(stores, file, bytes), `is not taken in: ${imageFilePath(file)} cannot be stored`)
  for await (const entry of archive.entries()) {
    const file = imageOfName(entry.name)
    if (file === undefined) continue
    if (batch.push([file, await bytesOf(entry)]) < CONCURRENCY) continue
    await Promise.all(batch.map(put))
    batch = []
    onProgress('storing images', { done: entry.at, total: archive.size, units: 'bytes' })
  }
  await Promise.all(batch.map(put))
}

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

/** How much of a step is done. */
export interface Measure {
  readonly done: number
  readonly total: number
  readonly units: 'rows' | 'bytes'
}

/** Called often while an archive is written or read, with the name of the step. */
export type OnProgress = (step: string, measure?: Measure) => void
