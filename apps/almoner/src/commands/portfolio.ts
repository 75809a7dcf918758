import { NORMAL_SIZES } from '@almoner/domain/media'
import {
  makeCheckTexts,
  makeLoadPortfolio,
  makePlanPortfolio,
  type PlanFailure,
  PORTFOLIO_TABLES,
  type PortfolioChanged,
  type PortfolioContent,
  type PortfolioPlan,
  textFindings,
  unusualImages,
  yearsOutside,
} from '@almoner/domain/portfolio'
import { actedBy, type Command, firstOf, table } from '../cli/command.ts'
import { fileRefusal, openPortfolio, portfolioRefusal } from '../composition/archives.ts'
import { checkPortfolioImages } from '../composition/media.ts'
import { SETTINGS, type Settings } from '../config/definitions.ts'
import { type CommandFailed, failed, fromDatabase, notAvailable, orFail } from '../failure.ts'

/** The greatest number of years that are named. */
const SHOWN_YEARS = 10

/** Names the years of organizations that `ALMONER_JOINED_YEARS` excludes, and the fix; undefined when there are none (H2). */
export const joinedAdvice = (
  { joinedYears }: Pick<Settings, 'joinedYears'>,
  joined: ReadonlyArray<number>,
): { readonly what: string; readonly fix: string } | undefined => {
  const years = yearsOutside({ joinedYears }, joined)
  if (years.length === 0) return undefined
  const { name } = SETTINGS.joinedYears
  const { first, last } = joinedYears
  const named = [
    ...years.slice(0, SHOWN_YEARS).map(String),
    ...(years.length > SHOWN_YEARS ? ['…'] : []),
  ].join(', ')
  const [least, greatest] = [Math.min(first, ...years), Math.max(last, ...years)]
  return {
    what: `organizations joined in ${named}, and ${name} is ${first}-${last}: ?joined= refuses those years`,
    fix: `set ${name}=${least}-${greatest}`,
  }
}

/** Returns warnings that prevent no load: years that `joined` rejects, unusual sizes of images, missing texts. */
const warningsOf = (
  { files, joined, total }: PortfolioPlan,
  content: PortfolioContent,
  settings: Pick<Settings, 'joinedYears'>,
): ReadonlyArray<string> => {
  const advice = joinedAdvice(settings, joined)
  const sizes = unusualImages(files).map(({ kind, file, width, height }) => {
    const normal = NORMAL_SIZES[kind]
    return `${kind}/${file} has ${width} by ${height} pixels, normally ${normal.width} by ${normal.height}`
  })
  return [
    // A table that was emptied by mistake looks like any other file.
    ...(total > 0 ? [] : ['organizations has no row: the portfolio will be empty']),
    ...(advice === undefined ? [] : [`${advice.what}; ${advice.fix}`]),
    ...sizes,
    ...textFindings(content).map(
      ({ about, id, lang, message }) => `${id}: the ${about} in ${lang} ${message}`,
    ),
  ]
}

/** The greatest number of warnings that are shown; the others are counted. */
const SHOWN = 20

/** Formats warnings as lines for a person. */
const shownWarnings = (warnings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shown = warnings.slice(0, SHOWN).map((warning) => `warning: ${warning}`)
  const more = warnings.length - shown.length
  return more > 0 ? [...shown, `and ${more} more: --json lists them all`] : shown
}

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
