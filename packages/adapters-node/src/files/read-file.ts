import { isUtf8 } from 'node:buffer'
import { open, readFile, stat } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/** The sentence about a path where there is nothing. */
export const NOT_THERE = 'is not there'
const IS_FOLDER = 'is a folder'
const FORBIDDEN = 'may not be read'

/** Sentences about a path by the codes of the operating system. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: NOT_THERE,
  ENOTDIR: NOT_THERE,
  ENAMETOOLONG: NOT_THERE,
  EISDIR: IS_FOLDER,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ELOOP: 'is a link that leads back to itself',
}

/** Returns a sentence that says why a path cannot be read. */
export const whyUnread = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return WHY[code] ?? `cannot be read: ${messageOf(cause)}`
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const MIB = 1024 * 1024

/** The byte order mark, which some programs write. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** The largest text file, in bytes. */
const MOST_TEXT = 64 * MIB

/** Reads a file into a space, as far as there is room. */
const readInto = async (file: string, space: Buffer): Promise<Buffer> => {
  const handle = await open(file)
  try {
    let length = 0
    while (length < space.length) {
      const { bytesRead } = await handle.read(space, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return space.subarray(0, length)
  } finally {
    await handle.close()
  }
}

/**
 * Reads a file, or returns a sentence that says why it cannot be read. Refuses all but regular files: a pipe might never end.
 * @param most its largest size in bytes
 * @param spaceOf gives the space for this many bytes; a new one unless given
 */
export const readBytes = async (
  file: string,
  most = Number.POSITIVE_INFINITY,
  spaceOf?: (bytes: number) => Buffer,
): Promise<E.Either<string, Buffer>> => {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) return E.left(IS_FOLDER)
    if (!stats.isFile()) return E.left('is no regular file')
    if (stats.size > most) return E.left(`has more than ${most / MIB} MiB`)
    return E.right(spaceOf === undefined ? await readFile(file) : await readInto(file, spaceOf(stats.size)))
  } catch (cause) {
    return E.left(whyUnread(cause))
  }
}

/** Reads the bytes of a text in UTF-8 without its byte order mark, or returns a sentence that says why they cannot be read. */
export const readTextBytes = async (file: string, most = MOST_TEXT): Promise<E.Either<string, Buffer>> =>
  pipe(
    await readBytes(file, most),
    E.filterOrElse(isUtf8, () => 'is no text in UTF-8'),
    E.map((bytes) => (bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes)),
  )

/** Reads a text in UTF-8 of at most 64 MiB, without its byte order mark, or returns a sentence that says why it cannot be read. */
export const readText = async (file: string, most = MOST_TEXT): Promise<E.Either<string, string>> =>
  E.map((bytes: Buffer) => bytes.toString('utf8'))(await readTextBytes(file, most))
