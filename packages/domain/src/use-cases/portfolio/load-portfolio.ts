import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy } from '../../access/acts.ts'
import { portfolioImagePath } from '../../media/portfolio-images.ts'
import type { PortfolioChanged } from '../../portfolio/changes.ts'
import type { PortfolioContent } from '../../portfolio/portfolio.ts'
import { portfolioRefused } from '../../portfolio/source.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { attempt, isUnavailable, type Unavailable } from '../../values/ports.ts'
import { checkFile, type FileRefused, fileRefused } from './check-file.ts'
import type { KnownFile } from './check-files.ts'
import {
  makePlanPortfolio,
  type PlanFailure,
  type PortfolioMaterial,
  type PortfolioPlan,
} from './plan-portfolio.ts'

type Needs = 'portfolio' | 'portfolioImageChecker' | 'portfolioImages'

/** Stores an image from its file, which must still be what was checked. */
const store = (
  ports: Pick<PortfolioPorts, Needs>,
  { read }: PortfolioMaterial,
  { use, image }: KnownFile,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    checkFile(ports, read, use),
    TE.filterOrElse(
      (taken) => taken.image.name === image.name,
      (): FileRefused | Unavailable => fileRefused('has changed while it was read'),
    ),
    TE.mapError((failure): PlanFailure => {
      if (isUnavailable(failure)) return failure
      return portfolioRefused([{ ...use.use, field: use.kind, message: failure.message }])
    }),
    TE.flatMap(
      ({ checked }): TE.TaskEither<PlanFailure, void> => ports.portfolioImages.put(image, checked.bytes),
    ),
  )

const storeAll = (
  ports: Pick<PortfolioPorts, Needs>,
  material: PortfolioMaterial,
  files: ReadonlyArray<KnownFile>,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    files,
    TE.traverseSeqArrayWithIndex((at, file) => {
      material.report('storing', at, files.length)
      return store(ports, material, file)
    }),
    TE.map(() => undefined),
  )

/** The paths of the images that are held. */
const held = (ports: Pick<PortfolioPorts, Needs>): TE.TaskEither<Unavailable, ReadonlySet<string>> =>
  attempt(async () => {
    const paths = new Set<string>()
    for await (const files of ports.portfolioImages.files())
      for (const { image } of files) paths.add(portfolioImagePath(image))
    return paths
  })

/**
 * Stores missing images again. A sweep that read the date of an old image just before it was stored again may have deleted it since. Later
 * sweeps spare it, because the portfolio references it. A sweep of another process that selected it before may still delete it; then it is
 * missing until the next load.
 */
const restoreMissing = (
  ports: Pick<PortfolioPorts, Needs>,
  material: PortfolioMaterial,
  files: ReadonlyArray<KnownFile>,
): TE.TaskEither<PlanFailure, void> =>
  pipe(
    held(ports),
    TE.flatMap((paths) =>
      storeAll(
        ports,
        material,
        files.filter(({ image }) => !paths.has(portfolioImagePath(image))),
      ),
    ),
  )

/** Stores the images of a plan, durably, and then has everything replaced at once. Gives the plan. */
export const carryOut =
  (ports: Pick<PortfolioPorts, Needs>) =>
  <L>(
    material: PortfolioMaterial,
    plan: PortfolioPlan,
    replace: (
      portfolio: PortfolioPorts['portfolio'],
      content: PortfolioContent,
    ) => TE.TaskEither<L | Unavailable, void>,
  ): TE.TaskEither<PlanFailure | L, PortfolioPlan> =>
    pipe(
      storeAll(ports, material, plan.files),
      TE.flatMap(() => material.draft.content()),
      TE.mapLeft((failure): PlanFailure | L => failure),
      TE.tap((content) => replace(ports.portfolio, content)),
      TE.tap(() => restoreMissing(ports, material, plan.files)),
      TE.map(() => plan),
    )

/**
 * Makes the portfolio that of the files (H1): checked whole first; then images are stored, durably; then everything is replaced
 * at once. It removes no image: what only the old portfolio showed, another load may be about to show again. The sweep takes it
 * when nothing shows it, and spares what was stored within the hour. A crash anywhere leaves the old portfolio or the new one,
 * whole. A table or a name that is absent stays as it is (H5): then the load fails with PortfolioChanged if another one was faster. Gives what was done.
 */
export const makeLoadPortfolio = (ports: Pick<PortfolioPorts, Needs>) => {
  const plan = makePlanPortfolio(ports)
  return (
    material: PortfolioMaterial,
    by?: ActedBy,
  ): TE.TaskEither<PlanFailure | PortfolioChanged, PortfolioPlan> => {
    const act = by && ({ ...by, action: 'load-portfolio' } as const)
    return pipe(
      plan(material),
      TE.mapLeft((failure): PlanFailure | PortfolioChanged => failure),
      TE.flatMap((planned) =>
        carryOut(ports)<PortfolioChanged>(material, planned, (portfolio, content) =>
          planned.isWhole
            ? portfolio.replace(content, act)
            : portfolio.replaceReviewed({ before: planned.before, content }, act),
        ),
      ),
    )
  }
}
