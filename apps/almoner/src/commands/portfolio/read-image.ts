import { join } from 'node:path'
import { type FileRefused, fileRefused, type ReadImageFile, UPLOAD_LIMIT } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { NOT_THERE, readBytes } from '../read-file.ts'

/** Reads images from the folders `logo` and `visual` of a folder. FileRefused whatever keeps a file from being read. */
export const imagesIn =
  (folder: string): ReadImageFile =>
  (kind, file) =>
  async () =>
    E.mapLeft(
      (why: string): FileRefused =>
        fileRefused(why === NOT_THERE ? `names no file in ${kind}/` : `names ${kind}/${file}, which ${why}`),
    )(await readBytes(join(folder, kind, file), UPLOAD_LIMIT))
