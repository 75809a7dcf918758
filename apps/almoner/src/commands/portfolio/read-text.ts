import { readFile, stat } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { messageOf } from '../../failure.ts'
import { type FileFault, fileFault } from './file-fault.ts'

/** Bytes that a file of rows may have. */
const MOST = 64 * 1024 * 1024

/** A file's text in UTF-8, without the mark that some programs put before it; or why it cannot be read. */
export const readText = async (file: string): Promise<E.Either<FileFault, string>> => {
  try {
    if ((await stat(file)).size > MOST) return E.left(fileFault(file, undefined, 'has more than 64 MiB'))
    return E.right(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)))
  } catch (cause) {
    return E.left(fileFault(file, undefined, `cannot be read as UTF-8: ${messageOf(cause)}`))
  }
}
