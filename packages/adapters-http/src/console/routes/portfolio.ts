import { Readable } from 'node:stream'
import {
  type ExportedFile,
  type ExportedPortfolio,
  ExportPortfolio,
  ListTextFindings,
  type OpenedPortfolio,
  ReplacePortfolio,
  ReviewPortfolio,
} from '@almoner/domain/portfolio'
import { fieldError, type ValidationFailed, validationFailed } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ZipFile } from 'yazl'
import type { UseCaseFailure } from '../../problems/problem-of-failure.ts'
import { json } from '../../responses/headers.ts'
import { call, type DecodedRequest, type Route, routeOf } from '../../route.ts'
import {
  encodeLoaded,
  encodeReview,
  encodeTextFindings,
  LoadedPortfolioJson,
  PortfolioReviewJson,
  TextFindingsJson,
} from '../../serializers/portfolio-review.ts'

const route = routeOf('Portfolio')

const filesOf = ({ files }: DecodedRequest): TE.TaskEither<ValidationFailed, OpenedPortfolio> =>
  files === undefined ? TE.left(validationFailed([fieldError('files', 'is required')])) : TE.right(files)

const piecesOf = async (
  { read }: ExportedPortfolio,
  { path, content }: ExportedFile,
): Promise<Iterable<string | Uint8Array>> => {
  if (!('kind' in content)) return content
  const bytes = await read(content)()
  if (E.isLeft(bytes)) throw bytes.left.cause
  if (O.isNone(bytes.right)) throw new Error(`${path} was deleted while the portfolio was exported`)
  return [bytes.right.value]
}

/** Yields the files of a portfolio as a zip archive, with one image in memory at a time. */
async function* archiveOf(portfolio: ExportedPortfolio): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  archive.on('error', (cause) => output.destroy(cause as Error))
  for (const file of portfolio.files)
    archive.addReadStreamLazy(file.path, (respond) => {
      piecesOf(portfolio, file).then(
        (pieces) => respond(null, Readable.from(pieces, { objectMode: false })),
        (cause: unknown) => respond(cause, Readable.from([])),
      )
    })
  archive.end()
  yield* output
}

const ARCHIVE_HEADERS = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="portfolio.zip"',
}

/** Checks, loads and exports of the portfolio. Its content is read through the routes of the API (M7). */
export const PORTFOLIO_LOAD_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/portfolio/findings',
    name: 'listTextFindings',
    summary:
      'List texts that lack a language, and highlights that do not occur in their text: the first thousand, and their number.',
    access: 'listTextFindings',
    parameters: ListTextFindings,
    response: { kind: 'one', codec: TextFindingsJson },
    handle: (services) => call(services.portfolio.textFindings, (list) => json(encodeTextFindings(list))),
  }),
  route({
    method: 'GET',
    path: '/portfolio/archive',
    name: 'exportPortfolio',
    summary: 'Export the portfolio as a zip archive of the files that a load takes.',
    access: 'exportPortfolio',
    parameters: ExportPortfolio,
    response: { kind: 'archive' },
    handle: (services) =>
      call(services.portfolio.export, (exported) => ({
        kind: 'file',
        headers: ARCHIVE_HEADERS,
        pieces: () => archiveOf(exported),
      })),
  }),
  route({
    method: 'POST',
    path: '/portfolio/review',
    name: 'reviewPortfolio',
    summary: 'Check the files of a portfolio and show what a load would change. Changes nothing.',
    access: 'reviewPortfolio',
    parameters: ReviewPortfolio,
    files: true,
    response: { kind: 'one', codec: PortfolioReviewJson },
    handle: (services) => (request) =>
      pipe(
        filesOf(request),
        TE.mapError((failure): UseCaseFailure => failure),
        TE.flatMap((files) => services.portfolio.review(request.caller, files, request.report)),
        TE.map((review) => json(encodeReview(review))),
      ),
  }),
  route({
    method: 'POST',
    path: '/portfolio/load',
    name: 'replacePortfolio',
    summary: 'Replace the portfolio by that of reviewed files.',
    access: 'replacePortfolio',
    parameters: ReplacePortfolio,
    files: true,
    response: { kind: 'one', codec: LoadedPortfolioJson },
    faults: [412],
    handle: (services) => (request, parameters) =>
      pipe(
        filesOf(request),
        TE.mapError((failure): UseCaseFailure => failure),
        TE.flatMap((files) => services.portfolio.replace(request.caller, parameters, files, request.report)),
        TE.map((plan) => json(encodeLoaded(plan))),
      ),
  }),
]
