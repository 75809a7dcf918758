import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { UploadedFile } from '@almoner/domain/portfolio'
import { nfcOf } from '@almoner/domain/values'
import { beyondBytes, beyondFiles, moreThan, TABLE_BOUNDS } from '../reading.ts'
import { makeNames, safePath } from './safe-path.ts'
import { UploadError } from './upload-error.ts'

/** The most that is stored. */
export interface StorageLimits {
  readonly files: number
  readonly bytes: number
}

/** What a file system answers about a name or a path, and not about itself. */
const OF_NAMES: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'has too long a name',
  ENOTDIR: 'is below a file',
  EISDIR: 'is a file and a folder',
  EEXIST: 'is there twice',
  EINVAL: 'has a name that cannot be stored',
  EILSEQ: 'has a name that cannot be stored',
  ENOENT: 'has a name that cannot be stored',
}

const nameError = (path: string, cause: unknown): unknown => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = OF_NAMES[code]
  return why === undefined ? cause : new UploadError(path, why)
}

/** Returns the most bytes of a file. The review reports images that are too large, with their rows. */
const mostOf = (path: string, all: number): number =>
  /\.(?:json|csv)$/i.test(path) ? Math.min(TABLE_BOUNDS.bytes, all) : all

/** Stores a file. Returns its path in NFC. */
const storeFile = async (
  folder: string,
  path: string,
  content: AsyncIterable<Uint8Array> | ReadonlyArray<Uint8Array>,
): Promise<string> => {
  const target = nfcOf(path)
  try {
    await mkdir(dirname(join(folder, target)), { recursive: true })
    await pipeline(content, createWriteStream(join(folder, target), { flags: 'wx' }))
  } catch (cause) {
    throw nameError(path, cause)
  }
  return target
}

/**
 * Stores the files of an upload below a folder and returns their paths, both in NFC. Leaves out files of systems (H5); files that are no part of a
 * portfolio are stored empty, for their error. Counts the bytes that come, so that an archive cannot claim to be smaller (H4).
 * @throws UploadError
 */
export const storeFiles = async (
  folder: string,
  files: AsyncIterable<UploadedFile>,
  most: StorageLimits,
): Promise<ReadonlyArray<string>> => {
  const stored: Array<string> = []
  const names = makeNames()
  let [count, bytes] = [0, 0]
  const counted = async function* (path: string, content: AsyncIterable<Uint8Array>) {
    const own = mostOf(path, most.bytes)
    let size = 0
    for await (const chunk of content) {
      size += chunk.byteLength
      bytes += chunk.byteLength
      if (size > own) throw new UploadError(path, moreThan(own), 'too-large')
      if (bytes > most.bytes) throw new UploadError(path, beyondBytes(most.bytes), 'too-large')
      yield chunk
    }
  }
  for await (const { path: given, content } of files) {
    count += 1
    if (count > most.files) throw new UploadError(given, beyondFiles(most.files), 'too-large')
    const isFolder = /[/\\]$/.test(given)
    const { path, isPart, isForeign } = safePath(isFolder ? given.slice(0, -1) : given)
    if (!isForeign) names.add(path, isFolder)
    if (isForeign || isFolder) continue
    stored.push(await storeFile(folder, path, isPart ? counted(path, content) : []))
  }
  return stored
}
