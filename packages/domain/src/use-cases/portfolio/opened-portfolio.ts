import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortfolioDraft, UploadRefused } from '../../portfolio/draft.ts'
import type { PortfolioFault } from '../../portfolio/source.ts'
import { cellSentence } from '../../values/file-messages.ts'
import type { Unavailable } from '../../values/ports.ts'
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

/** Returns an error of a draft as one of its file. */
export const fileFaultOf = ({ field, value, message, place }: PortfolioFault): PortfolioFileFault => ({
  file: place?.file ?? '',
  line: place?.line,
  text: cellSentence(field, value, message),
})

/** The files of a portfolio, read as far as they can be but not yet checked (H1). */
export interface OpenedPortfolio {
  readonly draft: PortfolioDraft
  readonly read: ReadImageFile
  /** Ends reading, and deletes what the upload has stored. */
  readonly close: () => Promise<void>
}

/**
 * Stores the files of an upload, unpacks them if they are an archive, and reads them as a portfolio, one upload at a time (H4).
 * @param signal ends all of it, when the client is gone
 */
export type OpenPortfolio = (
  files: AsyncIterable<UploadedFile>,
  signal?: AbortSignal,
) => TE.TaskEither<UploadRefused | Unavailable, OpenedPortfolio>
