import { mix } from './colour.ts'
import { upTo } from './curve.ts'
import { sky, stars } from './sky.ts'
import type { Stage } from './stage.ts'
import { circle, d, ellipse, path, place, stroke, turn } from './svg.ts'

/** A band of light across the sky, with its own dust of faint stars. */
const milkyWay = ({ width, height, unit, palette, random, gradients }: Stage, side: number): string => {
  const dust = upTo(120).map(() =>
    circle(
      random.between(-95, 95),
      (random.next() + random.next() - 1) * 11,
      random.between(0.08, 0.26),
      palette.sun,
      { opacity: random.between(0.4, 0.95) },
    ),
  )
  const light = ellipse(0, 0, 120, 20, gradients.glow(mix(palette.sky[1], palette.sun, 0.35), 0.42))
  const core = ellipse(0, 2, 90, 7, gradients.glow(palette.sun, 0.22))
  return place(width / 2, height * 0.34, unit, turn(side * 28, light, core, ...dust))
}

/** Figures in the stars, as x and y in turn along the line that joins them. */
const plough = [0, 0, 7, -3, 12, 1.5, 20, 0, 22, 8, 31, 9, 30, 0.6, 20, 0]
const crown = [0, 0, 6, 7, 13, 2, 20, 9, 28, 4]
const kite = [10, -6, 18, 1, 10, 10, 3, 2, 10, -6, 10, 10, 16, 14, 24, 13]

const constellation = ({ width, height, unit, palette, random }: Stage, side: number): string => {
  const line = random.pick<readonly number[]>([plough, crown, kite])
  const joints = upTo(line.length / 2).map((at) => [line[at * 2] ?? 0, line[at * 2 + 1] ?? 0] as const)
  return place(
    width * (0.5 - side * 0.27) - unit * 15,
    height * 0.16,
    unit,
    stroke(`M${line.join(' ')}`, palette.sun, 0.22, { opacity: 0.5 }),
    ...joints.map(([x, y], at) => circle(x, y, at % 3 === 0 ? 0.75 : 0.5, palette.sun)),
  )
}

const meteor = ({ width, height, unit, palette, random }: Stage, side: number): string => {
  const tail = path(d`M0,-0.1L15,-0.45A0.45,0.45 0 0 1 15,0.45Z`, palette.sun, { opacity: 0.8 })
  const angle = side > 0 ? random.between(140, 156) : random.between(24, 40)
  return place(width * (0.5 + side * 0.28), height * 0.1, unit, turn(angle, tail))
}

/** The sky of a clear night far from any town. */
export const firmament = (stage: Stage): string => {
  const side = stage.random.side()
  return [
    sky(stage),
    stars(stage, 220),
    milkyWay(stage, side),
    constellation(stage, side),
    meteor(stage, side),
  ].join('')
}
