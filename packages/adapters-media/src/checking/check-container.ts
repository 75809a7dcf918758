import type { ImageFault, ImageType } from '@almoner/domain/library'
import * as E from 'fp-ts/lib/Either.js'
import { BROKEN, unsupported } from './image-type.ts'
import { jpegScans } from './jpeg-scans.ts'
import { moveChunk, type PngChunk, pngChunks } from './png-chunks.ts'

/** The most scans of a JPEG: a progressive one needs about ten. The decoder goes over the image for each, outside its time limit. */
const MOST_SCANS = 100

/** The most chunks of a PNG: real ones have hundreds, and ten megabytes have room for millions. */
const MOST_CHUNKS = 20_000

const checkJpeg = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const { scans, hasEnd } = jpegScans(bytes)
  return hasEnd && scans <= MOST_SCANS ? E.right(bytes) : E.left(BROKEN)
}

/** Some programs write the orientation after the pixels, where the decoder does not look for it. */
const withOrientationFirst = (bytes: Buffer, chunks: ReadonlyArray<PngChunk>): Buffer => {
  const exif = chunks.find(({ type }) => type === 'eXIf')
  const pixels = chunks.find(({ type }) => type === 'IDAT')
  const isLate = exif !== undefined && pixels !== undefined && exif.start > pixels.start
  return isLate ? moveChunk(bytes, exif, pixels) : bytes
}

const checkPng = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const chunks: Array<PngChunk> = []
  for (const chunk of pngChunks(bytes)) {
    if (chunk.type === 'acTL') return E.left(unsupported('must not be animated'))
    chunks.push(chunk)
    if (chunks.length > MOST_CHUNKS) return E.left(BROKEN)
  }
  return chunks.at(-1)?.type === 'IEND' ? E.right(withOrientationFirst(bytes, chunks)) : E.left(BROKEN)
}

const CHECKS = { 'image/jpeg': checkJpeg, 'image/png': checkPng } as const

/**
 * Checks what the decoder does not: the end of the file, the number of scans or chunks, and that a PNG is not animated. Returns the bytes
 * to decode.
 */
export const checkContainer = (type: ImageType, bytes: Uint8Array): E.Either<ImageFault, Buffer> =>
  CHECKS[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
