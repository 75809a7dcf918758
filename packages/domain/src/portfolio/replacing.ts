import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  type RightsEnded,
} from '../access/caller.ts'
import { NORMAL_SIZES, type PortfolioImageKind } from '../media/portfolio-images.ts'
import { fieldError, parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { refined } from '../values/refined.ts'
import { PORTFOLIO_CHANGED, type PortfolioChanged } from './changes.ts'
import { MOST_NAMED, type PlanSummary, type PortfolioDraft, type UploadRefused } from './draft.ts'
import { yearsOutside } from './lists.ts'
import {
  carryOut,
  type KnownFile,
  makePlanPortfolio,
  type PortfolioMaterial,
  type PortfolioPlan,
  type ReadImageFile,
  type Report,
} from './loading.ts'
import { cellSentence } from './messages.ts'
import type { PortfolioPolicy, PortfolioPorts } from './ports.ts'
import type { PortfolioFault, PortfolioRefused } from './source.ts'

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

/** An image of another size than the interface calls normal, in pixels. It is served all the same. */
export interface UnusualImage {
  readonly kind: PortfolioImageKind
  readonly file: string
  readonly width: number
  readonly height: number
}

/** Returns the images of other sizes than the normal ones. */
export const unusualImages = (files: ReadonlyArray<KnownFile>): ReadonlyArray<UnusualImage> =>
  files
    .filter(({ use: { kind }, width, height }) => {
      const normal = NORMAL_SIZES[kind]
      return width !== normal.width || height !== normal.height
    })
    .map(({ use: { kind, file }, width, height }) => ({ kind, file, width, height }))

/** Parameters of POST /portfolio/review: the files alone. */
export const ReviewPortfolio = parameters({ name: 'ReviewPortfolio', required: {}, optional: {} })
export type ReviewPortfolio = typeof ReviewPortfolio._A

/** What a load of good files would change, and what would be unusual afterwards. Of each list only the first thousand (I6). */
export interface ReviewedPlan extends PlanSummary {
  readonly images: ReadonlyArray<UnusualImage>
  readonly imageCount: number
  /** Years in which organizations joined and for which `joined` cannot ask (H2). */
  readonly years: ReadonlyArray<number>
}

/** The errors of a portfolio's files, by file and line; without errors what a load would change. */
export interface PortfolioReview {
  readonly faults: ReadonlyArray<PortfolioFileFault>
  readonly plan: O.Option<ReviewedPlan>
}

const unreported: Report = () => {}

/**
 * Checks the files of a portfolio whole, rows and images, and compares them with the portfolio (H1). Changes nothing. Errors of the files
 * are part of the result; UploadRefused names a file beyond the bounds (H4).
 */
export const makeReviewPortfolio = (
  ports: Pick<PortfolioPorts, 'portfolio' | 'portfolioImageChecker'>,
  policy: Pick<PortfolioPolicy, 'joinedYears'>,
) => {
  const plan = makePlanPortfolio(ports)
  const reviewed = ({ files, ...planned }: PortfolioPlan): ReviewedPlan => {
    const images = unusualImages(files)
    return {
      ...planned,
      images: images.slice(0, MOST_NAMED),
      imageCount: images.length,
      years: yearsOutside(policy, planned.joined),
    }
  }
  return (
    caller: Caller,
    files: OpenedPortfolio,
    report = unreported,
  ): TE.TaskEither<InsufficientScope | RightsEnded | UploadRefused | Unavailable, PortfolioReview> =>
    permitted(
      'reviewPortfolio',
      caller,
    )(() =>
      pipe(
        plan({ ...files, report }),
        TE.map((planned): PortfolioReview => ({ faults: [], plan: O.some(reviewed(planned)) })),
        TE.orElse(
          (failure): TE.TaskEither<UploadRefused | Unavailable, PortfolioReview> =>
            failure._tag === 'PortfolioRefused'
              ? TE.right({ faults: failure.faults.map(fileFaultOf), plan: O.none })
              : TE.left(failure),
        ),
        TE.mapError((failure): RightsEnded | UploadRefused | Unavailable => failure),
        TE.tap(() => confirmRights(caller)),
      ),
    )
}

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
    material: PortfolioMaterial,
    fingerprint: string,
    caller: Caller,
  ): TE.TaskEither<Failure, PortfolioPlan> =>
    pipe(
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
  return (
    caller: Caller,
    { fingerprint }: ReplacePortfolio,
    files: OpenedPortfolio,
    report = unreported,
  ): TE.TaskEither<InsufficientScope | PresenceRequired | Failure, PortfolioPlan> =>
    permitted('replacePortfolio', caller, ports.clock)(() => load({ ...files, report }, fingerprint, caller))
}
