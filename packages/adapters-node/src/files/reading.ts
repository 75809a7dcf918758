import { PORTFOLIO_LIMITS } from '@almoner/domain/portfolio'
import { nfcOf } from '@almoner/domain/values'
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

const MIB = 1024 * 1024

/** The bounds of tables that people and operators hand in (H4). */
export const TABLE_BOUNDS = {
  rows: PORTFOLIO_LIMITS.rows,
  faults: PORTFOLIO_LIMITS.faults,
  /** Bytes of a table. */
  bytes: 64 * MIB,
  /** Bytes of all files of a load, and their number. */
  allBytes: 512 * MIB,
  files: 10_000,
  /** Code points of a cell. */
  cell: 65_536,
  /** Objects and arrays within each other. */
  depth: 32,
  /** Fields of a row: tables have a dozen. */
  fields: 100,
} as const

/** Bytes that the rows of a load take at most, by {@link Reading.hold}'s estimate. */
const MEMORY = 96 * MIB

/** A file is beyond a bound in bytes or files, or beyond the memory of reading, as plain code throws it (H4). */
export class FileTooLarge extends Error {
  readonly file: string

  /** @param why completes the sentence "<file> …" */
  constructor(file: string, why: string) {
    super(why)
    this.file = file
  }
}

/** Returns the sentence about a file with more bytes than this. */
export const moreThan = (bytes: number): string => `has more than ${bytes / MIB} MiB`

/** The sentence about the file with which there are too many. */
export const beyondFiles = (files: number = TABLE_BOUNDS.files): string =>
  `is one file too many: a portfolio has at most ${files} files`

/** The sentence about the file with which all have too many bytes. */
export const beyondBytes = (bytes: number = TABLE_BOUNDS.allBytes): string =>
  `is too much: all files of a portfolio have at most ${bytes / MIB} MiB`

/** There are as many errors as are named; nothing is read any further (H4). */
export class TooManyFaults extends Error {}

/** Returns whether a text has more code points than a cell may have. */
export const isTooLong = (text: string): boolean => {
  if (text.length <= TABLE_BOUNDS.cell) return false
  if (text.length > 2 * TABLE_BOUNDS.cell) return true
  let count = 0
  for (const _ of text) count += 1
  return count > TABLE_BOUNDS.cell
}

/** Zero-width characters that come along when a value is copied. */
const [ZERO_WIDTH_SPACE, WORD_JOINER] = [0x200b, 0x2060]

const isSpace = (code: number): boolean =>
  code === ZERO_WIDTH_SPACE || code === WORD_JOINER || /\s/u.test(String.fromCharCode(code))

/** Returns a value as it is meant: NFC, without white space of any kind around it, as a non-breaking space (H5). */
export const trimmed = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text.charCodeAt(from))) from += 1
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1
  return nfcOf(text.slice(from, to))
}

/** The sentence about a cell that is too long. */
export const TOO_LONG = `must have at most ${TABLE_BOUNDS.cell} characters`

/** The sentence about a table with too many rows, at the first that is too many. */
export const TOO_MANY_ROWS = `is row ${TABLE_BOUNDS.rows + 1}: a table has at most ${TABLE_BOUNDS.rows} rows`

/** Text that repeats what was sent is cut: it may have 64 MiB. */
const LONGEST_SENTENCE = 300

/** Reading the files of one load: its errors so far, and the memory that its rows take. */
export interface Reading {
  readonly faults: ReadonlyArray<FileFault>
  /** Says which file is read from now on. */
  readonly begin: (file: string) => void
  /** Adds an error. @throws TooManyFaults */
  readonly add: (file: string, line: number | undefined, text: string) => void
  /** Counts the memory of a text that is kept. @throws FileTooLarge */
  readonly hold: (file: string, text: string) => void
  /** Gives the space for the bytes of a table: the same for all, since the collector frees such spaces late. */
  readonly spaceOf: (bytes: number) => Buffer
  /** Frees that space at once. What it gave is empty from then on. */
  readonly freeSpace: () => void
  /** Runs the reading of a file, all of whose errors are dropped if it throws anything but {@link TooManyFaults}. */
  readonly whole: <A>(work: () => A) => A
}

/** Characters that make the text around them take two bytes each. */
const WIDE = /[^\0-\xff]/

/** What a value takes beside its text: the reference to it and its header. */
const OVERHEAD = 40

/** Begins to read the files of a load. @param begin called before each file is read */
export const makeReading = (begin: (file: string) => void = () => {}): Reading => {
  const faults: Array<FileFault> = []
  let held = 0
  let space = new ArrayBuffer(0)
  return {
    faults,
    begin,
    add: (file, line, text) => {
      const shown = text.length > LONGEST_SENTENCE ? `${text.slice(0, LONGEST_SENTENCE)}…` : text
      faults.push(fileFault(file, line, shown))
      if (faults.length >= TABLE_BOUNDS.faults) throw new TooManyFaults()
    },
    hold: (file, text) => {
      held += OVERHEAD + text.length * (WIDE.test(text) ? 2 : 1)
      if (held > MEMORY) throw new FileTooLarge(file, 'takes more memory than reading may')
    },
    spaceOf: (bytes) => {
      if (space.byteLength < bytes) space = new ArrayBuffer(bytes)
      return Buffer.from(space, 0, bytes)
    },
    freeSpace: () => {
      space = space.transfer(0)
    },
    whole: (work) => {
      const before = faults.length
      try {
        return work()
      } catch (cause) {
        if (!(cause instanceof TooManyFaults)) faults.length = before
        throw cause
      }
    },
  }
}
