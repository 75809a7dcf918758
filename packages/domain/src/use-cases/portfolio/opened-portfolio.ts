import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortfolioFault, PortfolioSource } from '../../portfolio/source.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { ReadImageFile } from './check-file.ts'

/** A file of an upload: its path below the folder, and its bytes, which are read once. */
export interface UploadedFile {
  readonly path: string
  readonly content: AsyncIterable<Uint8Array>
}

/** An error in a file of a portfolio. */
export interface PortfolioFileFault {
  /** The path below the folder; `''` for the folder itself. */
  readonly file: string
  /** From 1; undefined for the file as a whole. */
  readonly line: number | undefined
  /** A sentence about the file or line. */
  readonly text: string
}

/** The files of a portfolio, read as far as they can be but not yet checked (H1). */
export interface OpenedPortfolio {
  readonly source: PortfolioSource
  readonly read: ReadImageFile
  /** Whether the files have errors beyond their rows; {@link faultsWith} has them. */
  readonly isBroken: boolean
  /** Returns the errors of the files together with these errors of their rows, by file and line. */
  readonly faultsWith: (faults: ReadonlyArray<PortfolioFault>) => ReadonlyArray<PortfolioFileFault>
  /** Deletes what the upload has stored. */
  readonly close: () => Promise<void>
}

/** An upload cannot be taken; the sentence completes "the upload …". */
export interface UploadRefused {
  readonly _tag: 'UploadRefused'
  readonly message: string
}

/** Stores the files of an upload, unpacks them if they are an archive, and reads them as a portfolio. */
export type OpenPortfolio = (
  files: AsyncIterable<UploadedFile>,
) => TE.TaskEither<UploadRefused | Unavailable, OpenedPortfolio>
