import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** An error in a file: its place, and a sentence. */
export interface FileFault {
  readonly file: string
  /** From 1; undefined for the file as a whole. */
  readonly line: number | undefined
  readonly text: string
}

/** Why files were refused: a line for every error, file by file and from top to bottom. */
export interface FilesRefused {
  readonly _tag: 'FilesRefused'
  readonly lines: ReadonlyArray<string>
}

/** Makes an error in a file. */
export const fileFault = (file: string, line: number | undefined, text: string): FileFault => ({
  file,
  line,
  text,
})

/** Replaces control characters, which would move the cursor of a terminal. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')

/** Writes an error in a file as a line for a terminal. */
export const faultLine = ({ file, line, text }: FileFault): string =>
  plain(line === undefined ? `${file}: ${text}` : `${file}:${line}: ${text}`)

/** Returns errors file by file, in the order of their first errors, and from top to bottom. */
export const sortedFaults = <A extends Pick<FileFault, 'file' | 'line'>>(
  faults: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const files = [...new Set(faults.map(({ file }) => file))]
  return faults.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  )
}

/** Makes the refusal of files with errors. */
export const filesRefused = (faults: ReadonlyArray<FileFault>): FilesRefused => ({
  _tag: 'FilesRefused',
  lines: sortedFaults(faults).map(faultLine),
})

/** An error in a file, as plain async code throws it. */
export class FileError extends Error {
  readonly fault: FileFault

  constructor(file: string, line: number | undefined, text: string) {
    super(text)
    this.fault = fileFault(file, line, text)
  }
}

/** Runs plain async code about files. An error in a file is a failure; all else is a bug. */
export const aboutFiles =
  <A>(work: () => Promise<A>): TE.TaskEither<FilesRefused, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (cause) {
      if (!(cause instanceof FileError)) throw cause
      return E.left(filesRefused([cause.fault]))
    }
  }
