import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import { shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, path, place, rect, stroke, turn } from '../svg.ts'

const turbine = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette, random, gradients } = stage
  const white = mix(palette.wall, '#ffffff', 0.4)
  const start = random.between(0, 120)
  const blade = path(
    'M-0.5,0C-1.7,-3 -1,-12 0.2,-18C0.8,-12 1.1,-4 0.5,0Z',
    gradients.across(white, mix(palette.wall, palette.hills[2], 0.35)),
  )
  return place(
    x,
    y,
    size,
    shadow(stage, 1.4, 0, 6, 0.9),
    path('M-1,0L-0.5,-34H0.5L1,0Z', gradients.across(white, mix(palette.wall, palette.hills[2], 0.5))),
    place(
      0,
      -34.4,
      1,
      ...[0, 120, 240].map((angle) => turn(start + angle, blade)),
      circle(0, 0, 1.2, mix(palette.wall, palette.ink, 0.15)),
      circle(0, 0, 0.6, palette.roof),
    ),
  )
}

/** One tilted panel on its legs. */
const panel = ({ palette, gradients }: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    path('M-8,0.2L9,0.2L12,1.6L-6,1.6Z', palette.ink, { opacity: 0.25 }),
    stroke('M-4,-2V0.6M5,-2V0.6', mix(palette.wall, palette.ink, 0.5), 0.5),
    path('M-8.4,-1L-5.4,-7.6L9,-7.6L6.6,-1Z', palette.wall),
    path(
      'M-7.7,-1.5L-5.1,-7.1L8.3,-7.1L6.3,-1.5Z',
      gradients.across(
        mix(palette.water[1], palette.ink, 0.45),
        palette.water[1],
        mix(palette.water[1], palette.water[0], 0.5),
      ),
    ),
    stroke('M-4.2,-1.5L-1.8,-7.1M-0.7,-1.5L1.6,-7.1M2.8,-1.5L5,-7.1M-6.4,-4.3H7.3', palette.wall, 0.28, {
      opacity: 0.75,
    }),
  )

const cottage = ({ palette, gradients }: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    rect(-5, -6, 10, 6, gradients.across(palette.wall, mix(palette.wall, palette.ink, 0.22))),
    rect(-3.4, -4.6, 2.2, 2.4, palette.dark ? palette.bright : palette.water[1]),
    rect(0.8, -4.4, 2.2, 4.4, mix(palette.roof, palette.ink, 0.3)),
    path(
      'M-6.2,-5.6L-4,-10L4,-10L6.2,-5.6Z',
      gradients.across(mix(palette.roof, palette.bright, 0.25), palette.roof),
    ),
  )

/** Three rows of panels down the slope. */
const field = (stage: Stage): string =>
  upTo(3)
    .flatMap((row) => {
      const size = 0.64 + row * 0.2
      return upTo(4).map((index) => panel(stage, 5 + (index - 1.5) * 17.4 * size, 2.4 + row * 6, size))
    })
    .join('')

/** A village that makes its own power: wind on the ridge, sun on the slope. */
export const turbines = (stage: Stage): string => {
  return [
    country(stage, 6),
    subject(stage, turbine(stage, 34, -7, 0.78), turbine(stage, 13, -5, 1.02), turbine(stage, -22, -1, 1.08)),
    flanks(stage, 40, 6),
    subject(
      stage,
      cottage(stage, -2, -1.6, 0.9),
      cottage(stage, 9.6, -2, 1.15),
      cottage(stage, 22, -1.4, 0.95),
      field(stage),
      figure(stage, -36, 7, 1.6, somebody(stage), [-1.8, -4, 2.6, -6.4]),
      figure(stage, -31.4, 8, 1.2, somebody(stage), [-2, -4, 2.4, -8.6]),
    ),
  ].join('')
}
