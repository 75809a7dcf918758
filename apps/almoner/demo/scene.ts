import { type MotifName, motifs } from './scene/motifs.ts'
import { type PaletteName, palettes } from './scene/palettes.ts'
import { makeStage } from './scene/stage.ts'
import { element } from './scene/svg.ts'

/** An illustration as data: what it shows, in which colours, and which of its countless variations. */
export type Scene = {
  readonly motif: MotifName
  readonly palette: PaletteName
  readonly seed: number
}

export type { MotifName, PaletteName }

/**
 * Paints a scene as an SVG that fills the frame at any aspect ratio.
 * The same scene and size give the same text on every machine; nothing in it needs a font.
 */
export const paint = (scene: Scene, width: number, height: number): string => {
  const stage = makeStage(palettes[scene.palette], scene.seed, width, height)
  const picture = motifs[scene.motif](stage)
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    stage.gradients.definitions(),
    picture,
  )
}
