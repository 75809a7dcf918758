import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { UploadedFile } from '@almoner/domain/portfolio'
import { isPartOfPortfolio } from './safe-path.ts'
import { UploadError } from './upload-error.ts'

const MIB = 1024 * 1024

/** The most that is stored. */
export interface StorageLimits {
  readonly files: number
  readonly bytes: number
}

/**
 * Stores the files of an upload below a folder and returns their paths. Leaves out files that are no part of a portfolio. Counts the bytes that
 * come, so that an archive cannot claim to be smaller.
 * @throws UploadError
 */
export const storeFiles = async (
  folder: string,
  files: AsyncIterable<UploadedFile>,
  most: StorageLimits,
): Promise<ReadonlyArray<string>> => {
  const stored = new Set<string>()
  let [count, bytes] = [0, 0]
  const counted = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      bytes += chunk.byteLength
      if (bytes > most.bytes) throw new UploadError(`has more than ${most.bytes / MIB} MiB`)
      yield chunk
    }
  }
  for await (const { path, content } of files) {
    count += 1
    if (count > most.files) throw new UploadError(`has more than ${most.files} files`)
    if (!isPartOfPortfolio(path)) continue
    if (stored.has(path)) throw new UploadError(`has the file ${path} twice`)
    stored.add(path)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await pipeline(counted(content), createWriteStream(join(folder, path), { flags: 'wx' }))
  }
  return [...stored]
}
