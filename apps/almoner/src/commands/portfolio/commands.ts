import {
  makeCheckTexts,
  makeLoadPortfolio,
  makePlanPortfolio,
  type PlanFailure,
  PORTFOLIO_TABLES,
  type PortfolioChanged,
  type PortfolioPlan,
} from '@almoner/domain/portfolio'
import { actedBy, type Command, firstOf } from '../../cli/command.ts'
import { table } from '../../cli/table.ts'
import { fileRefusal, openPortfolio, portfolioRefusal } from '../../composition/files.ts'
import { checkPortfolioImages } from '../../composition/ports.ts'
import { type CommandFailed, failed, fromDatabase, notAvailable, orFail } from '../../failure.ts'
import { shownWarnings, warningsOf } from './warnings.ts'

const changesTable = ({ changes, loads }: PortfolioPlan): string => {
  const rows = PORTFOLIO_TABLES.map((name) => {
    const { added, changed, removed, kept } = changes[name]
    return [
      name,
      ...[added, changed, removed, kept].map(String),
      loads[name] === 'left' ? 'left as it is' : loads[name],
    ]
  })
  return table(['TABLE', 'ADDED', 'CHANGED', 'REMOVED', 'KEPT', 'LOAD'], rows)
}

const loadedText = ({ total }: PortfolioPlan): string =>
  `${total} ${total === 1 ? 'organization' : 'organizations'} loaded.`

const refusal = (failure: PlanFailure | PortfolioChanged): CommandFailed => {
  switch (failure._tag) {
    case 'PortfolioChanged':
      return failed('The portfolio has changed meanwhile, and nothing was loaded: run the command again.')
    case 'PortfolioRefused':
      return portfolioRefusal(failure.faults)
    case 'UploadRefused':
      return fileRefusal(failure)
    default:
      return notAvailable('the store of the portfolio')(failure)
  }
}

/**
 * `portfolio load`: names every bad row by file and line, and then changes nothing (H1); a file beyond the bounds is named (H4), and the tables that
 * are replaced, emptied or left as they are (H5). Warnings go to
 * stderr, or into the JSON.
 */
const loadPortfolio: Command<{ readonly dryRun?: true }> = {
  usage: 'portfolio load <FILE|FOLDER>',
  summary: 'replace the tables of the portfolio with those in a folder, a JSON file or a zip archive',
  options: [['--dry-run', 'only list the changes']],
  async run({ args, options, service, settings, terminal, progress, asJson }) {
    const dryRun = options.dryRun === true
    const { draft, read, close } = await openPortfolio(firstOf(args))
    try {
      const ports = { ...(await service.ports()), portfolioImageChecker: checkPortfolioImages() }
      const report = (step: string, done: number, of: number) => progress(`${step} images: ${done} of ${of}`)
      const load: ReturnType<typeof makeLoadPortfolio> = dryRun
        ? makePlanPortfolio(ports)
        : makeLoadPortfolio({ ...ports, portfolioImages: (await service.media()).portfolioImages })
      const plan = await orFail(load({ draft, read, report }, actedBy('portfolio load', ports)), refusal)
      progress('')
      const warnings = warningsOf(plan, await orFail(draft.content(), refusal), settings)
      if (!asJson) for (const warning of shownWarnings(warnings)) terminal.err(`almoner: ${warning}\n`)
      const { changes, loads, name } = plan
      return {
        text: `${changesTable(plan)}\n${dryRun ? 'Nothing was changed.' : loadedText(plan)}`,
        json: { dryRun, name, loads, changes, warnings },
      }
    } finally {
      await close()
    }
  },
}

const checkTexts: Command = {
  usage: 'check texts',
  summary: 'list texts that lack a language, and highlights that are not in their text',
  async run({ service }) {
    const found = await fromDatabase(makeCheckTexts(await service.ports())())
    const findings = found.map(({ id, about, lang, message }) => ({ about, id, lang, message }))
    const rows = findings.map(({ id, about, lang, message }) => [id, about, lang, message])
    const text = rows.length === 0 ? 'No text is missing.' : table(['ID', 'TEXT', 'LANG', 'FINDING'], rows)
    return { text, json: { findings } }
  },
}

export const PORTFOLIO_COMMANDS: ReadonlyArray<Command> = [loadPortfolio, checkTexts]
