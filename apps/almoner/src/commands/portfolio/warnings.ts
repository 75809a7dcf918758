import { NORMAL_SIZES } from '@almoner/domain/media'
import {
  type PortfolioContent,
  type PortfolioPlan,
  textFindings,
  unusualImages,
} from '@almoner/domain/portfolio'
import type { Settings } from '../../config/definitions.ts'
import { joinedAdvice } from './joined-years.ts'

/** Returns warnings that prevent no load: years that `joined` rejects, unusual sizes of images, missing texts. */
export const warningsOf = (
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
export const shownWarnings = (warnings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shown = warnings.slice(0, SHOWN).map((warning) => `warning: ${warning}`)
  const more = warnings.length - shown.length
  return more > 0 ? [...shown, `and ${more} more: --json lists them all`] : shown
}
