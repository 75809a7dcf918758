import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../failure.ts'

/** Faults of one archive that are told at most. */
export const MOST_FAULTS = 100

/** What is wrong with an archive, as far as anybody wants to read it. */
export interface Faults {
  /** Adds a line that is about something else. */
  readonly line: (line: string) => void
  /** Adds a sentence about the archive. */
  readonly add: (sentence: string) => void
  /** Adds a sentence about one of its entries, which begins with that entry's name. */
  readonly inside: (sentence: string) => void
  /** Adds a sentence about a line of one of its entries. */
  readonly at: (entry: string, line: number, sentence: string) => void
  readonly isAny: () => boolean
  /** Lines for the operator; none when nothing is wrong. */
  readonly lines: () => ReadonlyNonEmptyArray<string> | undefined
}

/** Gathers the faults of a file. */
export const makeFaults = (file: string): Faults => {
  const kept: Array<string> = []
  let more = 0
  const keep = (line: string): void => {
    if (kept.length < MOST_FAULTS) kept.push(line)
    else more += 1
  }
  return {
    line: keep,
    add: (sentence) => keep(`${file} ${sentence}`),
    inside: (sentence) => keep(`${file}: ${sentence}`),
    at: (entry, line, sentence) => keep(`${file}: ${entry}:${line}: ${sentence}`),
    isAny: () => kept.length > 0,
    lines: () => {
      const [first, ...rest] = kept
      if (first === undefined) return undefined
      return more === 0 ? [first, ...rest] : [first, ...rest, `${file}: and ${more} more`]
    },
  }
}

/** A failure with all faults, when there are any. */
export const unlessFaulty = (faults: Faults): TE.TaskEither<Failure, void> => {
  const lines = faults.lines()
  return lines === undefined ? TE.right(undefined) : TE.left({ _tag: 'Failed', lines })
}
