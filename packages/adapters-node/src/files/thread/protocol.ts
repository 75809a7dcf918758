import type { ImageResult, NamedImage, PortfolioContent, PortfolioTable } from '@almoner/domain/portfolio'

/** What the thread is started with. */
export interface ThreadData {
  /** The folder or the file of the portfolio. */
  readonly path: string
  /** Whether errors name files below the folder of the portfolio; otherwise they name whole paths. */
  readonly isBelow: boolean
}

/** Rows of a table of a portfolio, or its name: a portfolio crosses between threads in parts, since copying it blocks both. */
export type Part =
  | { readonly name: string }
  | { readonly table: PortfolioTable; readonly rows: PortfolioContent[PortfolioTable] }

/** Rows of a part: copying them takes about a millisecond. */
export const PART = 200

/** An image that rows name, and the path of its file. */
export interface FoundImage {
  readonly image: NamedImage
  readonly path: string | undefined
}

/** What the thread can be asked for: one thing at a time. */
export type Request =
  | { readonly ask: 'images'; readonly from: number }
  | { readonly ask: 'results'; readonly results: ReadonlyArray<ImageResult> }
  | { readonly ask: 'check' }
  | { readonly ask: 'before'; readonly part: Part }
  | { readonly ask: 'compare' }
  | { readonly ask: 'name' }
  | { readonly ask: 'content'; readonly table: PortfolioTable; readonly from: number }

/** What the thread answers: that it begins to read a file, the answer to the request, or why it cannot go on. */
export type Answer =
  | { readonly reading: string }
  | { readonly answer: unknown }
  | { readonly refused: { readonly file: string; readonly message: string; readonly isTooLarge: boolean } }
  | { readonly broken: unknown }
