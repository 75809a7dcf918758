import {
  isUnavailable,
  makeLoadPortfolio,
  makePlanPortfolio,
  PORTFOLIO_TABLES,
  type PortfolioMaterial,
  type PortfolioPlan,
  type PortfolioRefused,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandPorts, onDatabase, type Printout, type Work } from '../../cli/command.ts'
import { type Failure, notAvailable } from '../../cli/failure.ts'
import { table } from '../../cli/table.ts'
import { progressOn, type Terminal } from '../../cli/terminal.ts'
import { openMedia } from '../../composition/media.ts'
import { checkPortfolioImages } from '../../composition/store.ts'
import type { Settings } from '../../config/definitions.ts'
import { faultLines } from './file-fault.ts'
import type { PortfolioFiles } from './portfolio-files.ts'
import { readFiles, refusalLines } from './read-files.ts'
import { imagesIn } from './read-image.ts'
import { shownWarnings, warningsOf } from './warnings.ts'

interface Options {
  readonly dryRun?: true
  readonly json?: true
}

const printout = (plan: PortfolioPlan, settings: Settings, dryRun: boolean): Printout => {
  const { changes, content } = plan
  const rows = PORTFOLIO_TABLES.map((name) => {
    const { added, changed, removed, kept } = changes[name]
    return [name, ...[added, changed, removed, kept].map(String)]
  })
  const count = content.organizations.length
  const loaded = `${count} ${count === 1 ? 'organization' : 'organizations'} loaded.`
  return {
    text: `${table(['TABLE', 'ADDED', 'CHANGED', 'REMOVED', 'KEPT'], rows)}\n${dryRun ? 'Nothing was changed.' : loaded}`,
    json: { dryRun, name: content.name, changes, warnings: warningsOf(plan, settings) },
  }
}

/** Does it, or only says what it would do. */
const doIt = (
  ports: CommandPorts,
  settings: Settings,
  material: PortfolioMaterial,
  dryRun: boolean,
): TE.TaskEither<Failure | PortfolioRefused | Unavailable, PortfolioPlan> => {
  const checking = { ...ports, portfolioImageChecker: checkPortfolioImages() }
  if (dryRun) return makePlanPortfolio(checking)(material)
  return TE.bracketW(
    openMedia(settings),
    ({ portfolioImages }) => makeLoadPortfolio({ ...checking, portfolioImages })(material),
    ({ close }) => TE.fromIO(close),
  )
}

/** A plan, unless files are at fault though their rows are not. */
const unlessAtFault =
  ({ faults }: PortfolioFiles) =>
  (plan: PortfolioPlan): TE.TaskEither<Failure, PortfolioPlan> =>
    faults.length > 0 ? TE.left(faultLines(faults)) : TE.right(plan)

const whyNot =
  (files: PortfolioFiles) =>
  (failure: Failure | PortfolioRefused | Unavailable): Failure => {
    if (failure._tag === 'PortfolioRefused') return refusalLines(files, failure)
    return isUnavailable(failure) ? notAvailable('the store of the portfolio')(failure) : failure
  }

/**
 * `portfolio load FILE|FOLDER [--dry-run]`: the portfolio becomes that of the files, or every bad row is named by file and line and
 * nothing changes (H1). Warnings go to stderr, or into the document with `--json`.
 */
export const loadPortfolio =
  (path: string, { dryRun, json }: Options, terminal: Terminal): Work =>
  (settings) => {
    const progress = progressOn(terminal)
    const load = (files: PortfolioFiles) =>
      onDatabase((ports) => {
        const material: PortfolioMaterial = {
          source: files.source,
          read: imagesIn(files.images),
          report: (step, done, of) => progress(`${step} images: ${done} of ${of}`),
        }
        return pipe(
          // Rows are looked at before files that are at fault otherwise stop it, so that one answer names both.
          doIt(ports, settings, material, dryRun === true || files.faults.length > 0),
          TE.flatMap(unlessAtFault(files)),
          TE.tapIO((plan) => () => {
            progress('')
            if (json) return
            for (const warning of shownWarnings(warningsOf(plan, settings)))
              terminal.err(`almoner: ${warning}\n`)
          }),
          TE.bimap(whyNot(files), (plan) => printout(plan, settings, dryRun === true)),
        )
      })(settings)
    const loaded = pipe(readFiles(path), TE.flatMap(load))
    return async () => {
      const done = await loaded()
      progress('')
      return done
    }
  }
