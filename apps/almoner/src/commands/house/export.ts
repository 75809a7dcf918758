import type { FileHandle } from 'node:fs/promises'
import type { House } from '@almoner/adapters-kysely'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Media } from '../../compose/media.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import type { Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'
import { makeArchiveWriter } from './archive-writer.ts'
import { piecesOf } from './export-pieces.ts'
import { fetchImage, ImageMissing, IN_FLIGHT } from './fetch-image.ts'
import { imageName } from './format.ts'
import { type Meter, makeMeter } from './meter.ts'
import { writeNewFile } from './new-file.ts'
import { aboutFile, onHouse, unlessNothing } from './on-house.ts'

/** What was written. */
interface Exported {
  readonly rows: number
  readonly images: number
  readonly bytes: number
}

/** What an export reads. */
interface Moving {
  readonly house: House
  readonly media: Pick<Media, 'imageFiles'>
}

/** Times that it is begun anew because an image went away meanwhile. */
const TRIES = 5

const writeOnce = async (
  { house, media }: Moving,
  handle: FileHandle,
  meterFor: (total: number) => Meter,
): Promise<Exported> => {
  const writer = makeArchiveWriter(handle)
  let meter: Meter | undefined
  let rows = 0
  let images = 0
  for await (const piece of house.view(piecesOf)) {
    meter ??= meterFor(piece.total)
    await writer.add(piece.name, piece.bytes)
    for (const image of piece.images) {
      await writer.add(imageName(image.file), await fetchImage(media.imageFiles, image))
      images += 1
    }
    rows += piece.rows
    meter.at(rows)
  }
  return { rows, images, bytes: await writer.finish() }
}

/**
 * Writes all of it. An image that was taken away since the database was looked at is no fault: it is begun anew, with what the
 * database shows then. One that is still shown is.
 */
export const writeExport = async (
  belongings: Moving,
  handle: FileHandle,
  meterFor: (total: number) => Meter,
): Promise<Exported> => {
  let missing: string | undefined
  for (let left = TRIES; ; left -= 1)
    try {
      return await writeOnce(belongings, handle, meterFor)
    } catch (cause) {
      if (!(cause instanceof ImageMissing)) throw cause
      if (missing === cause.path) throw new ArchiveFault(`cannot be written: ${cause.message}`)
      if (left === 1) throw new ArchiveFault(`cannot be written: ${IN_FLIGHT}`)
      missing = cause.path
      await handle.truncate()
    }
}

/** `export FILE`: everything but access tokens, as it is at one moment, in one archive. The service may go on meanwhile. */
export const exportAll = (file: string, terminal: Terminal): Work =>
  unlessNothing(
    onHouse((belongings) => {
      const meterFor = (total: number) => makeMeter(terminal, { what: 'exporting', units: 'rows', total })
      return pipe(
        aboutFile(file, () => writeNewFile(file, (handle) => writeExport(belongings, handle, meterFor))),
        TE.map(({ rows, images, bytes }) => ({
          text: `${rows} rows and ${images} images in ${file} (${bytes} bytes)`,
          json: { file, rows, images, bytes },
        })),
        (done) => async () => {
          const ended = await done()
          progressOn(terminal)('')
          return ended
        },
      )
    }),
  )
