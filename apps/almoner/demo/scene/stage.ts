import { type Gradients, makeGradients } from './gradients.ts'
import type { Palette } from './palette.ts'
import { type Random, seeded } from './random.ts'
import { place } from './svg.ts'

/**
 * The frame a motif fills. Landscapes are drawn in pixels from edge to edge;
 * the subject is drawn in units, 90 wide and 80 high, which fit every aspect ratio.
 */
export type Stage = {
  readonly width: number
  readonly height: number
  /** Pixels per unit. */
  readonly unit: number
  /** Where the middle of the subject stands, in pixels. */
  readonly centre: number
  readonly ground: number
  readonly palette: Palette
  readonly random: Random
  /** Chance kept apart for people, so that the same ones appear whatever the size of the frame. */
  readonly cast: Random
  readonly gradients: Gradients
}

export const makeStage = (palette: Palette, seed: number, width: number, height: number): Stage => {
  const random = seeded(seed)
  const unit = Math.min(width / 90, height / 80)
  const spare = width - 90 * unit
  return {
    width,
    height,
    unit,
    centre: width / 2 + spare * random.between(-0.16, 0.16),
    ground: height * 0.76,
    palette,
    random,
    cast: seeded(~seed),
    gradients: makeGradients(),
  }
}

/** Draws the subject in units, standing on (0, 0). */
export const subject = (stage: Stage, ...children: readonly string[]): string =>
  place(stage.centre, stage.ground, stage.unit, ...children)

/** How many units the frame reaches to the left and right of the subject's middle. */
export const reach = (stage: Stage): readonly [left: number, right: number] => [
  -stage.centre / stage.unit,
  (stage.width - stage.centre) / stage.unit,
]
