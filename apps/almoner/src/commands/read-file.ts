import { readFile, stat } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { messageOf } from '../cli/failure.ts'

/** Why a path cannot be read: it leads to nothing. */
export const NOT_THERE = 'is not there'
const IS_FOLDER = 'is a folder'
const FORBIDDEN = 'may not be read'

/** What the operating system calls its faults, as a sentence about the path. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: NOT_THERE,
  ENOTDIR: NOT_THERE,
  ENAMETOOLONG: NOT_THERE,
  EISDIR: IS_FOLDER,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ELOOP: 'is a link that leads back to itself',
}

/** Why a path cannot be read, as a sentence about it. */
export const whyUnread = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return WHY[code] ?? `cannot be read: ${messageOf(cause)}`
}

const MIB = 1024 * 1024

/** Bytes that a file of text may have. */
const MOST_TEXT = 64 * MIB

/**
 * A file's bytes, or a sentence about it that says why it cannot be read. Only regular files are read: a pipe might never end.
 * @param most bytes that it may have
 */
export const readBytes = async (
  file: string,
  most = Number.POSITIVE_INFINITY,
): Promise<E.Either<string, Buffer>> => {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) return E.left(IS_FOLDER)
    if (!stats.isFile()) return E.left('is no regular file')
    if (stats.size > most) return E.left(`has more than ${most / MIB} MiB`)
    return E.right(await readFile(file))
  } catch (cause) {
    return E.left(whyUnread(cause))
  }
}

/**
 * A file's text in UTF-8, of 64 MiB at most and without the mark that some programs put before it; or a sentence, as
 * {@link readBytes} gives it.
 */
export const readText = async (file: string): Promise<E.Either<string, string>> =>
  pipe(
    await readBytes(file, MOST_TEXT),
    E.flatMap((bytes) =>
      E.tryCatch(
        () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
        () => 'is no text in UTF-8',
      ),
    ),
  )
