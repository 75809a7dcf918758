import { type MotifName, motifs } from '../../scene/motifs.ts'
import { type PaletteName, palettes } from '../../scene/palettes.ts'
import { makeStage, type Stage } from '../../scene/stage.ts'
import { bridge } from './motifs/bridge.ts'
import { cloth } from './motifs/cloth.ts'
import { hives } from './motifs/hives.ts'
import { kiln } from './motifs/kiln.ts'
import { market } from './motifs/market.ts'
import { playground } from './motifs/playground.ts'
import { slopes } from './motifs/slopes.ts'
import { theatre } from './motifs/theatre.ts'
import { tower } from './motifs/tower.ts'
import { picture } from './picture.ts'

/** What the organizations do and the library's scenes do not show. */
const more = { bridge, cloth, hives, kiln, market, playground, slopes, theatre, tower } satisfies Readonly<
  Record<string, (stage: Stage) => string>
>

const every = { ...motifs, ...more }

/** A visual as data: what it shows, in which colours, and which of its variations. */
export type Visual = readonly [motif: MotifName | keyof typeof more, palette: PaletteName, seed: number]

/** The size of every visual, in pixels. */
export const VISUAL = { width: 1200, height: 600 } as const

/** Paints a visual as an SVG of the size that the interface names. */
export const paintVisual = ([motif, palette, seed]: Visual, name: string): string => {
  const stage = makeStage(palettes[palette], seed, VISUAL.width, VISUAL.height)
  const painted = every[motif](stage)
  return picture(VISUAL, name, stage.gradients.definitions(), painted)
}
