import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isForeign } from './names.ts'
import { beyondBytes, beyondFiles, FileError, FileTooLarge, TABLE_BOUNDS } from './reading.ts'

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
const readTextBytes = async (file: string, most = MOST_TEXT): Promise<E.Either<string, Buffer>> =>
  pipe(
    await readBytes(file, most),
    E.filterOrElse(isUtf8, () => 'is no text in UTF-8'),
    E.map((bytes) => (bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes)),
  )

/** Reads a text in UTF-8 of at most 64 MiB, without its byte order mark, or returns a sentence that says why it cannot be read. */
export const readText = async (file: string, most = MOST_TEXT): Promise<E.Either<string, string>> =>
  E.map((bytes: Buffer) => bytes.toString('utf8'))(await readTextBytes(file, most))

const isImageFolder = (name: string): boolean => PORTFOLIO_IMAGE_KINDS.some((kind) => kind === name)

/** Returns whether an entry is a folder to list. Links are followed to folders of images alone, as others may lead back. */
const isFolder = async (path: string, entry: Dirent): Promise<boolean> => {
  if (entry.isDirectory() || !entry.isSymbolicLink() || !isImageFolder(entry.name)) return entry.isDirectory()
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/** Returns whether a folder may have been meant as a file: its name is that of a table, or it lies among images. */
const isMeantAsFile = (path: string): boolean => {
  const names = path.split('/')
  return /\.(?:json|csv)$/i.test(path) || isImageFolder(names.at(-2) ?? '')
}

/** Yields the paths of the files below a folder, without those of systems (H5). A folder that may have been meant as a file is one too. */
const pathsBelow = async function* (folder: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    if (isForeign(entry.name)) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const isInside = await isFolder(join(folder, path), entry)
    if (!isInside || isMeantAsFile(path)) yield path
    if (isInside) yield* pathsBelow(folder, path)
  }
}

const sizeOf = async (file: string): Promise<number> => {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() === true ? stats.size : 0
}

/**
 * Lists the files below a folder, within the bounds of H4. Returns paths below it, sorted.
 * @throws FileError where the folder cannot be read; FileTooLarge
 */
export const listFiles = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files: Array<string> = []
  let bytes = 0
  try {
    for await (const path of pathsBelow(folder)) {
      bytes += await sizeOf(join(folder, path))
      files.push(path)
      if (files.length > TABLE_BOUNDS.files) throw new FileTooLarge(join(folder, path), beyondFiles())
      if (bytes > TABLE_BOUNDS.allBytes) throw new FileTooLarge(join(folder, path), beyondBytes())
    }
  } catch (cause) {
    if (cause instanceof FileTooLarge) throw cause
    throw new FileError(folder, undefined, whyUnread(cause))
  }
  return files.toSorted()
}
