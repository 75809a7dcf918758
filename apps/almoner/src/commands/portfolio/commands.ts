import type { Unavailable } from '@almoner/domain'
import {
  makeCheckTexts,
  makeLoadPortfolio,
  makePlanPortfolio,
  PORTFOLIO_TABLES,
  type PortfolioPlan,
  type PortfolioRefused,
} from '@almoner/domain/portfolio'
import { isUnavailable } from '@almoner/domain/ports'
import { actedBy, type Command, firstOf } from '../../cli/command.ts'
import { table } from '../../cli/table.ts'
import { imagesIn, portfolioRefusal, readPortfolio } from '../../composition/files.ts'
import { checkPortfolioImages } from '../../composition/ports.ts'
import { fromDatabase, notAvailable, orFail } from '../../failure.ts'
import { shownWarnings, warningsOf } from './warnings.ts'

const changesTable = ({ changes }: PortfolioPlan): string => {
  const rows = PORTFOLIO_TABLES.map((name) => {
    const { added, changed, removed, kept } = changes[name]
    return [name, ...[added, changed, removed, kept].map(String)]
  })
  return table(['TABLE', 'ADDED', 'CHANGED', 'REMOVED', 'KEPT'], rows)
}

const loadedText = ({ content: { organizations } }: PortfolioPlan): string =>
  `${organizations.length} ${organizations.length === 1 ? 'organization' : 'organizations'} loaded.`

/** `portfolio load`: names every bad row by file and line, and then changes nothing (H1). Warnings go to stderr, or into the JSON. */
const loadPortfolio: Command<{ readonly dryRun?: true }> = {
  usage: 'portfolio load <FILE|FOLDER>',
  summary: 'replace the portfolio with that in the files',
  options: [['--dry-run', 'only list the changes']],
  async run({ args, options, service, settings, terminal, progress, asJson }) {
    const dryRun = options.dryRun === true
    const files = await readPortfolio(firstOf(args))
    const refusal = (failure: PortfolioRefused | Unavailable) =>
      isUnavailable(failure)
        ? notAvailable('the store of the portfolio')(failure)
        : portfolioRefusal(files, failure.faults)
    const ports = { ...(await service.ports()), portfolioImageChecker: checkPortfolioImages() }
    const material = {
      source: files.source,
      read: imagesIn(files.images),
      report: (step: string, done: number, of: number) => progress(`${step} images: ${done} of ${of}`),
    }
    // Rows are checked even if the files have errors of their own, so that one run names both.
    const load =
      dryRun || files.faults.length > 0
        ? makePlanPortfolio(ports)
        : makeLoadPortfolio({ ...ports, portfolioImages: (await service.media()).portfolioImages })
    const plan = await orFail(load(material, actedBy('portfolio load', ports)), refusal)
    if (files.faults.length > 0) throw portfolioRefusal(files)
    progress('')
    const warnings = warningsOf(plan, settings)
    if (!asJson) for (const warning of shownWarnings(warnings)) terminal.err(`almoner: ${warning}\n`)
    const { changes, content } = plan
    return {
      text: `${changesTable(plan)}\n${dryRun ? 'Nothing was changed.' : loadedText(plan)}`,
      json: { dryRun, name: content.name, changes, warnings },
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
