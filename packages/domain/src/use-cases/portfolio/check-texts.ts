import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type TextFinding, textFindings } from '../../portfolio/text-findings.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Which texts of the portfolio lack a language or their highlight. */
export const makeCheckTexts =
  (ports: Pick<PortfolioPorts, 'portfolio'>) => (): TE.TaskEither<Unavailable, ReadonlyArray<TextFinding>> =>
    pipe(ports.portfolio.content(), TE.map(textFindings))
