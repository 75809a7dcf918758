import type { Failure } from '../../cli/failure.ts'

/** Something wrong with a file, where it stands in it, and a sentence. */
export interface FileFault {
  readonly file: string
  /** From 1; undefined for the file as a whole. */
  readonly line: number | undefined
  readonly text: string
}

export const fileFault = (file: string, line: number | undefined, text: string): FileFault => ({
  file,
  line,
  text,
})

/** What files say must not move the cursor of a terminal. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')

const lineOf = ({ file, line, text }: FileFault): string =>
  plain(line === undefined ? `${file}: ${text}` : `${file}:${line}: ${text}`)

/** All faults, a line each, file by file and from top to bottom. */
export const faultLines = (faults: ReadonlyArray<FileFault>): Failure => {
  const files = [...new Set(faults.map(({ file }) => file))]
  const [first = 'the files hold no portfolio', ...rest] = faults
    .toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
    .map(lineOf)
  // Not as arguments: there may be more lines than a call can have.
  return { _tag: 'Failed', lines: [first, ...rest] }
}
