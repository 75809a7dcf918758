import type { FileHandle } from 'node:fs/promises'
import type { House, NamedImage } from '@almoner/adapters-kysely'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Media } from '../../compose/media.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import type { Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'
import { makeArchiveWriter } from './archive-writer.ts'
import type { ArchiveOptions } from './backup.ts'
import { piecesOf } from './export-pieces.ts'
import { fetchImage, ImageMissing, IN_FLIGHT } from './fetch-image.ts'
import { imageName, MISSING } from './format.ts'
import { type Meter, makeMeter } from './meter.ts'
import { missingBytes, missingFailure, namesText } from './missing-images.ts'
import { writeNewFile } from './new-file.ts'
import { aboutFile, onHouse, unlessNothing } from './on-house.ts'

/** What was written. */
interface Exported {
  readonly rows: number
  readonly images: number
  /** The paths of images that rows show and that are not in the store. */
  readonly missing: ReadonlyArray<string>
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
  const missing: Array<string> = []
  const add = async (image: NamedImage): Promise<void> => {
    const bytes = await fetchImage(media.imageFiles, image).catch((cause: unknown) => {
      if (!(cause instanceof ImageMissing)) throw cause
      missing.push(cause.path)
    })
    if (bytes === undefined) return
    await writer.add(imageName(image.file), bytes)
    images += 1
  }
  for await (const piece of house.view(piecesOf)) {
    meter ??= meterFor(piece.total)
    await writer.add(piece.name, piece.bytes)
    for (const image of piece.images) await add(image)
    rows += piece.rows
    meter.at(rows)
  }
  if (missing.length > 0) await writer.add(MISSING, missingBytes(missing))
  return { rows, images, missing, bytes: await writer.finish() }
}

/**
 * Writes all of it. An image may be taken away after the database was looked at: then it is begun anew, with what the database shows now.
 * Images that are missing again are listed at the end.
 */
export const writeExport = async (
  belongings: Moving,
  handle: FileHandle,
  { isStrict, meterFor }: { readonly isStrict: boolean; readonly meterFor: (total: number) => Meter },
): Promise<Exported> => {
  let before = new Set<string>()
  for (let left = TRIES; ; left -= 1) {
    const exported = await writeOnce(belongings, handle, meterFor)
    const { missing } = exported
    if (missing.every((path) => before.has(path))) {
      if (isStrict && missing.length > 0)
        throw new ArchiveFault(`is not written: images are missing: ${namesText(missing)}`)
      return exported
    }
    if (left === 1) throw new ArchiveFault(`cannot be written: ${IN_FLIGHT}`)
    before = new Set(missing)
    await handle.truncate()
  }
}

/**
 * `export FILE [--strict]`: everything but access tokens, as it is at one moment, in one archive. The service may go on meanwhile. Images that
 * are missing are told behind it.
 */
export const exportAll = (file: string, { strict }: ArchiveOptions, terminal: Terminal): Work =>
  unlessNothing(
    onHouse((belongings) => {
      const meterFor = (total: number) => makeMeter(terminal, { what: 'exporting', units: 'rows', total })
      return pipe(
        aboutFile(file, () =>
          writeNewFile(file, (handle) =>
            writeExport(belongings, handle, { isStrict: strict === true, meterFor }),
          ),
        ),
        TE.map(({ rows, images, missing, bytes }) => ({
          text: `${rows} rows and ${images} images in ${file} (${bytes} bytes)`,
          json: { file, rows, images, missing, bytes },
          failure: missingFailure(missing),
        })),
        (done) => async () => {
          const ended = await done()
          progressOn(terminal)('')
          return ended
        },
      )
    }),
  )
