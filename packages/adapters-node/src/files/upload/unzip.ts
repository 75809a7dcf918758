import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { isDeviceName } from '@almoner/domain/media'
import type { UploadedFile, UploadRefused } from '@almoner/domain/portfolio'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { foldedName, isForeign, sameName, twinsOf } from '../names.ts'

/** Why an upload cannot be taken, as plain async code throws it. */
export class UploadError extends Error {
  readonly refusal: UploadRefused

  /**
   * @param file the file that is at fault, as it is named in the upload; undefined if it is the upload as a whole
   * @param why completes "<file> …" or "the upload …"
   */
  constructor(file: string | undefined, why: string, reason: UploadRefused['reason'] = 'bad') {
    super(why)
    this.refusal = { _tag: 'UploadRefused', reason, file: file && shownName(file), message: why }
  }
}

/** Characters of a name that an answer repeats. */
const LONGEST = 200

/** Returns a name as an answer may repeat it: of bounded length, without control characters. */
const shownName = (name: string): string => {
  const plain = name.replaceAll(/\p{Cc}/gu, '?')
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain
}

/** Bytes that a file system allows in a name, and in the path of an upload's file below its folder. */
const LONGEST_NAME = 255
const LONGEST_PATH = 1024

/** Folders in folders that are looked at: a person may have chosen the folder above the portfolio's. */
const DEEPEST = 6

/** Returns why no file may have this path; undefined if one may. */
const whyUnsafe = (path: string, names: ReadonlyArray<string>): string | undefined => {
  if (path === '') return 'has no name'
  if (/\p{Cc}/u.test(path)) return 'has a control character in its name'
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || names.includes('..')) return 'leads out of its folder'
  if (names.includes('')) return 'has a folder without a name'
  if (Buffer.byteLength(path) > LONGEST_PATH) return `has a path of more than ${LONGEST_PATH} bytes`
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    return `has a name of more than ${LONGEST_NAME} bytes`
  if (names.some((name) => /[. ]$/.test(name))) return 'has a name that ends with a dot or a space'
  return names.some(isDeviceName) ? 'has a name that Windows keeps for devices' : undefined
}

/** A file of an upload, by its path below the folder. */
interface SafePath {
  readonly path: string
  /** Whether it may be part of a portfolio: a table, an image in `logo` or `visual`, or an archive. The content of all others does not matter. */
  readonly isPart: boolean
  /** Whether it is a system's own file, whose name does not matter. */
  readonly isForeign: boolean
}

/**
 * Reads the path of a file of an upload, which any person and any program may have written.
 * @throws UploadError if it leads out of its folder, or some file system cannot hold it
 */
export const safePath = (given: string): SafePath => {
  const path = given.replaceAll('\\', '/').replace(/^(?:\.\/)+(?=.)/, '')
  const names = path.split('/')
  const why = whyUnsafe(path, names)
  if (why !== undefined) throw new UploadError(given, why)
  const folder = names.at(-2)
  const isPart = folder === 'logo' || folder === 'visual' || /\.(?:json|csv|zip)$/i.test(path)
  const foreign = names.some(isForeign)
  return { path, isPart: isPart && !foreign && names.length <= DEEPEST, isForeign: foreign }
}

/** The files and folders of an upload. Each name is that of one file or of one folder. */
interface Names {
  /** @throws UploadError if the upload has the same name for something else already */
  readonly add: (path: string, isFolder: boolean) => void
}

/** Makes the empty names of an upload. */
export const makeNames = (): Names => {
  const [files, folders] = [new Map<string, string>(), new Map<string, string>()]
  const addFolder = (path: string, entry: string): void => {
    const file = files.get(foldedName(path))
    if (file !== undefined) throw new UploadError(entry, `has a folder with the name of the file ${file}`)
    folders.set(foldedName(path), path)
  }
  return {
    add: (path, isFolder) => {
      const names = path.split('/')
      for (let depth = 1; depth < names.length; depth += 1) addFolder(names.slice(0, depth).join('/'), path)
      if (isFolder) return addFolder(path, path)
      const key = foldedName(path)
      const same = files.get(key)
      if (same === path) throw new UploadError(path, 'is there twice: keep one of the two')
      if (same !== undefined) {
        const [first, other] = twinsOf(same, path)
        throw new UploadError(other, sameName(first))
      }
      if (folders.has(key)) throw new UploadError(path, 'is a file and a folder')
      files.set(key, path)
    },
  }
}

/** What the reader of archives says about the archive as a whole, in our words. */
const SENTENCES: ReadonlyArray<readonly [RegExp, string]> = [
  [/strong encryption/i, 'is encrypted: send the archive without a password'],
  [/multi-disk/i, 'is one part of an archive that was split: join the parts, or send it whole'],
  [/end of central directory|not a zip/i, 'is no zip archive that can be read: it may have been cut off'],
]

const NO_ARCHIVE = 'is no zip archive that can be read'

/** Errors of the disk are no errors of the archive. */
const isOfSystem = (cause: unknown): boolean => cause instanceof Error && 'syscall' in cause

const archiveError = (archive: string, cause: unknown): unknown => {
  if (cause instanceof UploadError || isOfSystem(cause)) return cause
  const message = cause instanceof Error ? cause.message : ''
  const [, why = NO_ARCHIVE] = SENTENCES.find(([pattern]) => pattern.test(message)) ?? []
  return new UploadError(archive, why)
}

const DAMAGED = 'is damaged in the archive: it does not unpack to what the archive says of it'

const entryError = (path: string, cause: unknown): unknown =>
  cause instanceof UploadError || isOfSystem(cause) ? cause : new UploadError(path, DAMAGED)

/** Unpacks an entry while it is read. An entry that is left out is not unpacked. */
const contentOf = async function* (archive: ZipFile, entry: Entry, path: string): AsyncGenerator<Uint8Array> {
  let [sum, size] = [0, 0]
  try {
    for await (const chunk of await archive.openReadStreamPromise(entry)) {
      const bytes = chunk as Uint8Array
      sum = crc32(bytes, sum)
      size += bytes.byteLength
      if (size > entry.uncompressedSize) throw new UploadError(path, DAMAGED)
      yield bytes
    }
  } catch (cause) {
    throw entryError(path, cause)
  }
  if (size !== entry.uncompressedSize) throw new UploadError(path, DAMAGED)
  if (sum !== entry.crc32) throw new UploadError(path, 'is damaged in the archive: its checksum is wrong')
}

/** The extra field in which Info-ZIP's programs put the name in UTF-8. */
const UNICODE_PATH = 0x7075

/** Returns the name of an entry. One without the flag of UTF-8 is UTF-8 if it is valid, else of code page 437 (H5). */
const nameOf = (entry: Entry): string => {
  const raw = entry.fileNameRaw
  const hasOther = entry.extraFields.some(({ id }) => id === UNICODE_PATH)
  return isUtf8(raw) && !hasOther
    ? raw.toString('utf8')
    : getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false)
}

/** The kinds of entries that archivers of Unix write. */
const [KIND, REGULAR, FOLDER] = [0xf000, 0x8000, 0x4000]

/** Returns why an entry cannot be unpacked; undefined if it can. */
const whyNot = (entry: Entry): string | undefined => {
  if (entry.isEncrypted()) return 'is encrypted: send the archive without a password'
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return `is packed by a method that is not supported (${entry.compressionMethod}): use the usual one, Deflate`
  const isOfUnix = entry.versionMadeBy >>> 8 === 3
  const kind = (entry.externalFileAttributes >>> 16) & KIND
  return isOfUnix && kind !== 0 && kind !== REGULAR && kind !== FOLDER
    ? 'is a link, or no regular file'
    : undefined
}

/** Returns whether an entry is a system's own file, whose errors do not matter. */
const isForeignEntry = (path: string): boolean => path.split(/[/\\]/).some(isForeign)

/**
 * Yields the files and folders of a zip archive in the order of its directory; a folder's path ends with a slash. Rejects entries that are
 * encrypted, links, packed in an unknown way, damaged, or longer than the directory says.
 * @param name that of the archive in the upload
 * @throws UploadError
 */
export const unzip = async function* (file: string, name: string): AsyncGenerator<UploadedFile> {
  try {
    const archive = await openPromise(file, { decodeStrings: false, validateEntrySizes: false })
    try {
      for await (const entry of archive.eachEntry()) {
        const path = nameOf(entry)
        const why = whyNot(entry)
        if (why !== undefined && !isForeignEntry(path)) throw new UploadError(shownName(path), why)
        yield { path, content: contentOf(archive, entry, path) }
      }
    } finally {
      archive.close()
    }
  } catch (cause) {
    throw archiveError(name, cause)
  }
}
