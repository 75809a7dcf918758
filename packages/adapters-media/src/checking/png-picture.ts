import { crc32 } from 'node:zlib'
import type { ImageFault } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { broken, CUT } from './image-type.ts'

/** The most chunks of a PNG: real ones have hundreds, and ten megabytes have room for millions. */
const MOST_CHUNKS = 20_000

/** Bytes of the signature before the first chunk. */
export const SIGNATURE = 8

/** Bytes of length and type before the data of a chunk, and of its checksum after it. */
const [HEAD, CHECKSUM] = [8, 4]

/** The chunks besides the critical ones that the decoder needs: transparency, profile and orientation. */
const NEEDED: ReadonlySet<string> = new Set(['tRNS', 'iCCP', 'eXIf'])

/** An end with the right checksum. */
const END = Buffer.from('0000000049454e44ae426082', 'hex')

/** A chunk of a PNG. */
export interface Chunk {
  readonly type: string
  /** The whole chunk, from its length to its checksum. */
  readonly bytes: Buffer
}

/** Yields the chunks of a PNG up to IEND, as far as they are whole. */
export function* chunksOf(bytes: Buffer): Generator<Chunk, void> {
  for (let start = SIGNATURE; start + HEAD + CHECKSUM <= bytes.length; ) {
    const type = bytes.toString('latin1', start + 4, start + HEAD)
    const end = start + HEAD + bytes.readUInt32BE(start) + CHECKSUM
    if (end > bytes.length) return
    yield { type, bytes: bytes.subarray(start, end) }
    if (type === 'IEND') return
    start = end
  }
}

/** Whether a chunk's type begins with a capital letter: a decoder that does not know it must give up. */
const isCritical = ({ type }: Chunk): boolean => /^[A-Z]/.test(type)

/** Whether the checksum of a chunk is right. */
export const isSound = ({ bytes }: Chunk): boolean =>
  crc32(bytes.subarray(4, -CHECKSUM)) === bytes.readUInt32BE(bytes.length - CHECKSUM)

/** Returns the data of a chunk. */
export const dataOf = ({ bytes }: Chunk): Buffer => bytes.subarray(HEAD, -CHECKSUM)

/** Whether a chunk announces several frames. */
const isAnimation = ({ type, bytes }: Chunk): boolean =>
  type === 'acTL' && bytes.length >= HEAD + 8 + CHECKSUM && bytes.readUInt32BE(HEAD) > 1

/** Collects the chunks that the decoder needs. */
class Picture {
  readonly #before: Array<Buffer> = []
  readonly #pixels: Array<Buffer> = []
  readonly #seen = new Set<string>()

  get hasPixels(): boolean {
    return this.#pixels.length > 0
  }

  keep(chunk: Chunk): void {
    if (isCritical(chunk)) {
      const part = chunk.type === 'IDAT' || this.hasPixels ? this.#pixels : this.#before
      part.push(chunk.bytes)
    } else if (this.#needs(chunk)) {
      this.#seen.add(chunk.type)
      this.#before.push(chunk.bytes)
    }
  }

  /** Some programs write the orientation after the pixels; there the other chunks have no meaning. */
  #needs(chunk: Chunk): boolean {
    const { type } = chunk
    const isInPlace = type === 'eXIf' || !this.hasPixels
    return NEEDED.has(type) && isInPlace && !this.#seen.has(type) && isSound(chunk)
  }

  file(signature: Buffer): Buffer {
    return Buffer.concat([signature, ...this.#before, ...this.#pixels, END])
  }
}

/**
 * Returns the picture of a PNG file (D7): the chunks that decoding needs, up to its end. Chunks that only inform, those among the others
 * that are damaged or repeated and that a decoder may skip, and everything after the end are left out. An orientation is put in front of
 * the pixels, where the decoder looks for it. AnimatedImage if the file has several frames, BrokenImage if it ends before the picture does
 * or has too many chunks.
 */
export const pngPicture = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const picture = new Picture()
  let chunks = 0
  for (const chunk of chunksOf(bytes)) {
    chunks += 1
    if (chunks > MOST_CHUNKS) return E.left(broken(`it has more than ${MOST_CHUNKS} chunks`))
    if (isAnimation(chunk) && !picture.hasPixels) return E.left({ _tag: 'AnimatedImage' })
    if (chunk.type === 'IEND') return E.right(picture.file(bytes.subarray(0, SIGNATURE)))
    picture.keep(chunk)
  }
  return E.left(CUT)
}
