import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  type RightsEnded,
} from '../../access/caller.ts'
import { PORTFOLIO_CHANGED, type PortfolioChanged } from '../../portfolio/changes.ts'
import type { UploadRefused } from '../../portfolio/draft.ts'
import type { PortfolioFault, PortfolioRefused } from '../../portfolio/source.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { fieldError, parameters, type ValidationFailed, validationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { refined } from '../../values/refined.ts'
import { carryOut } from './load-portfolio.ts'
import { fileFaultOf, type OpenedPortfolio } from './opened-portfolio.ts'
import { makePlanPortfolio, type PortfolioMaterial, type PortfolioPlan } from './plan-portfolio.ts'
import { unreported } from './review-portfolio.ts'

const Fingerprint = refined<string>('Fingerprint', E.right, {
  type: 'string',
  description: 'The fingerprint of the reviewed plan.',
})

/** Parameters of POST /portfolio/load, beside the files. */
export const ReplacePortfolio = parameters({
  name: 'ReplacePortfolio',
  required: { fingerprint: Fingerprint },
  optional: {},
})
export type ReplacePortfolio = typeof ReplacePortfolio._A

/** The most errors of files that a refusal names. */
const MOST_FAULTS = 100

type Failure = ValidationFailed | PortfolioChanged | RightsEnded | UploadRefused | Unavailable

const refusal = ({ faults }: PortfolioRefused): ValidationFailed => {
  const [first, ...others] = RNEA.map((fault: PortfolioFault) => {
    const { file, line, text } = fileFaultOf(fault)
    return fieldError(line === undefined ? file : `${file}:${line}`, text)
  })(faults)
  return validationFailed([first, ...others.slice(0, MOST_FAULTS - 1)])
}

/**
 * Replaces the portfolio as a whole by that of reviewed files, and records it (H1, K1). Looks the caller's rights up again just before, as
 * checking the files may take minutes (A9). ValidationFailed names bad rows by file and line;
 * PortfolioChanged if the load would do something else than was reviewed; UploadRefused names a file beyond the bounds (H4).
 */
export const makeReplacePortfolio = (
  ports: Pick<PortfolioPorts, 'clock' | 'portfolio' | 'portfolioImageChecker' | 'portfolioImages'>,
) => {
  const plan = makePlanPortfolio(ports)
  const load = (
    files: OpenedPortfolio,
    fingerprint: string,
    caller: Caller,
  ): TE.TaskEither<Failure, PortfolioPlan> => {
    const material: PortfolioMaterial = { ...files, report: unreported }
    return pipe(
      plan(material),
      TE.filterOrElse(
        (planned) => planned.fingerprint === fingerprint,
        (): Failure | PortfolioRefused => PORTFOLIO_CHANGED,
      ),
      TE.flatMap((planned) =>
        carryOut(ports)(material, planned, (portfolio, content) =>
          pipe(
            confirmRights(caller),
            TE.mapLeft((failure): Failure => failure),
            TE.flatMap(() =>
              portfolio.replaceReviewed(
                { before: planned.before, content },
                { actor: caller.actor, action: 'load-portfolio', at: ports.clock.now() },
              ),
            ),
          ),
        ),
      ),
      TE.mapError((failure) => (failure._tag === 'PortfolioRefused' ? refusal(failure) : failure)),
    )
  }
  return (
    caller: Caller,
    { fingerprint }: ReplacePortfolio,
    files: OpenedPortfolio,
  ): TE.TaskEither<InsufficientScope | PresenceRequired | Failure, PortfolioPlan> =>
    permitted('replacePortfolio', caller, ports.clock)(() => load(files, fingerprint, caller))
}
