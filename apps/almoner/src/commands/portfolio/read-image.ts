import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type FileRefused,
  fileRefused,
  type ReadImageFile,
  type Unavailable,
  UPLOAD_LIMIT,
  unavailable,
} from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

const isGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENAMETOOLONG')

/** Reads images from the folders `logo` and `visual` of a folder. */
export const imagesIn =
  (folder: string): ReadImageFile =>
  (kind, file) =>
    TE.tryCatch(
      async () => {
        const path = join(folder, kind, file)
        const stats = await stat(path)
        if (!stats.isFile()) throw fileRefused(`names no file in ${kind}/`)
        if (stats.size > UPLOAD_LIMIT) throw fileRefused('has more than 10 MiB')
        return readFile(path)
      },
      (cause): FileRefused | Unavailable => {
        if (isGone(cause)) return fileRefused(`names no file in ${kind}/`)
        return isRefusal(cause) ? cause : unavailable(cause)
      },
    )

const isRefusal = (cause: unknown): cause is FileRefused =>
  typeof cause === 'object' && cause !== null && '_tag' in cause && cause._tag === 'FileRefused'
