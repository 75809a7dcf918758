import type { UploadedFile } from '@almoner/domain/portfolio'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { UploadError } from './upload-error.ts'

const unreadable = (cause: unknown): UploadError =>
  cause instanceof UploadError ? cause : new UploadError('is no zip archive that can be read', { cause })

/** Unpacks an entry while it is read. An entry that is left out is not unpacked. */
const contentOf = async function* (archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await archive.openReadStreamPromise(entry)
  } catch (cause) {
    throw unreadable(cause)
  }
}

/**
 * Yields the files of a zip archive in the order of its directory. The reader rejects paths that lead out of the archive, encrypted
 * entries, and entries that are longer than the directory says.
 * @throws UploadError
 */
export const unzip = async function* (file: string): AsyncGenerator<UploadedFile> {
  try {
    const archive = await openPromise(file)
    try {
      for await (const entry of archive.eachEntry()) {
        const path = entry.fileName
        if (!path.endsWith('/')) yield { path, content: contentOf(archive, entry) }
      }
    } finally {
      archive.close()
    }
  } catch (cause) {
    throw unreadable(cause)
  }
}
