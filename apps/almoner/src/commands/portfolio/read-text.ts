import * as E from 'fp-ts/lib/Either.js'
import { readText } from '../read-file.ts'
import { type FileFault, fileFault } from './file-fault.ts'

/** A file's text in UTF-8, without the mark that some programs put before it; or why it cannot be read. */
export const readRowsText = async (file: string): Promise<E.Either<FileFault, string>> =>
  E.mapLeft((why: string) => fileFault(file, undefined, why))(await readText(file))
