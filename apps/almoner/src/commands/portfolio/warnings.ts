import {
  type KnownFile,
  NORMAL_SIZES,
  type PortfolioContent,
  type PortfolioPlan,
  type TextFinding,
  textFindings,
} from '@almoner/domain'
import type { Settings } from '../../config/definitions.ts'
import { joinedAdvice } from './joined-years.ts'

/** A finding as one line. */
const findingLine = ({ about, id, lang, message }: TextFinding): string =>
  `${id}: the ${about} in ${lang} ${message}`

const sizeLine = ({ use: { kind, file }, width, height }: KnownFile): ReadonlyArray<string> => {
  const normal = NORMAL_SIZES[kind]
  return width === normal.width && height === normal.height
    ? []
    : [`${kind}/${file} has ${width} by ${height} pixels, normally ${normal.width} by ${normal.height}`]
}

/** A table that was emptied by mistake looks like any other file. */
const emptyLine = ({ organizations }: PortfolioContent): ReadonlyArray<string> =>
  organizations.length > 0 ? [] : ['organizations has no row: the portfolio will be empty']

const joinedLine = (
  { organizations }: PortfolioContent,
  settings: Pick<Settings, 'joinedYears'>,
): ReadonlyArray<string> => {
  const advice = joinedAdvice(settings, organizations)
  return advice === undefined ? [] : [`${advice.what}; ${advice.fix}`]
}

/** What keeps nothing from being loaded, and an editor may want to know: years that `joined` refuses, odd sizes of images, texts that are missing. */
export const warningsOf = (
  { files, content }: PortfolioPlan,
  settings: Pick<Settings, 'joinedYears'>,
): ReadonlyArray<string> => [
  ...emptyLine(content),
  ...joinedLine(content, settings),
  ...files.flatMap(sizeLine),
  ...textFindings(content).map(findingLine),
]

/** So many are shown; the rest is counted. */
const SHOWN = 20

/** Warnings as lines for a person. */
export const shownWarnings = (warnings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shown = warnings.slice(0, SHOWN).map((warning) => `warning: ${warning}`)
  const more = warnings.length - shown.length
  return more > 0 ? [...shown, `and ${more} more: --json lists them all`] : shown
}
