import organizations from '../organizations.json' with { type: 'json' }
import sectors from '../sectors.json' with { type: 'json' }
import { drawLogo } from './logos/badge.ts'
import { careLogos } from './logos/care.ts'
import { landLogos } from './logos/land.ts'
import { learningLogos } from './logos/learning.ts'
import { sectorLogos } from './logos/sectors.ts'
import { paintVisual } from './scenes.ts'
import { visuals } from './visuals.ts'

/** The text of each picture by its path inside the portfolio’s folder. */
export type Pictures = Readonly<Record<string, string>>

const organizationLogos = { ...careLogos, ...landLogos, ...learningLogos }

const drawing = <A>(drawings: Readonly<Record<string, A>>, id: string): A => {
  const found = drawings[id]
  if (found === undefined) throw new Error(`nothing is drawn for ${id}`)
  return found
}

/**
 * Every picture that the portfolio’s sectors and organizations name, drawn anew:
 * the same text each time and on every machine. Throws when one of them has no drawing.
 */
export const portfolioPictures = (): Pictures =>
  Object.fromEntries([
    ...sectors.map(({ sectorId, en, logo }) => [
      `logo/${logo}`,
      drawLogo(drawing(sectorLogos, sectorId), en),
    ]),
    ...organizations.flatMap(({ id, name, logo, visual }) => [
      [`logo/${logo}`, drawLogo(drawing(organizationLogos, id), name)],
      [`visual/${visual}`, paintVisual(drawing(visuals, id), name)],
    ]),
  ])
