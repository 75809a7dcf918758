import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { UploadedFile } from '@almoner/domain/portfolio'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { isForeign } from '../file-names.ts'
import { shownName, UploadError } from './upload-error.ts'

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
