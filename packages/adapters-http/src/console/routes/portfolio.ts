import {
  ListTextFindings,
  type OpenedPortfolio,
  ReplacePortfolio,
  ReviewPortfolio,
} from '@almoner/domain/portfolio'
import { fieldError, type ValidationFailed, validationFailed } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
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
} from '../../serializers/portfolio.ts'

const route = routeOf('Portfolio')

const filesOf = ({ files }: DecodedRequest): TE.TaskEither<ValidationFailed, OpenedPortfolio> =>
  files === undefined ? TE.left(validationFailed([fieldError('files', 'is required')])) : TE.right(files)

/** Checks and loads of the portfolio. Its content is read through the routes of the API (M7). */
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
        TE.flatMap((files) => services.portfolio.review(request.caller, files)),
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
        TE.flatMap((files) => services.portfolio.replace(request.caller, parameters, files)),
        TE.map((plan) => json(encodeLoaded(plan))),
      ),
  }),
]
