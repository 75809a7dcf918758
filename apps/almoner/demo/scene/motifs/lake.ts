import { mix } from '../colour.ts'
import { type Point, smooth, spread, upTo } from '../curve.ts'
import { below, peaks, ridge } from '../land.ts'
import { boat } from '../props/boat.ts'
import { heavens } from '../sky.ts'
import type { Stage } from '../stage.ts'
import { d, path, rect, stroke } from '../svg.ts'
import { grove } from '../trees.ts'

const shore = 0.55

/** Broken light under the sun: strokes that grow wider and rarer towards the viewer. */
const glitter = ({ width, height, unit, palette, random }: Stage, x: number): string =>
  spread(15, 0, 1)
    .map((depth) => {
      const half = unit * (2 + depth * 8) * random.between(0.5, 1.1)
      const middle = width * x + unit * random.between(-3, 3) * (0.5 + depth)
      const y = height * (shore + 0.015 + depth ** 1.4 * 0.3)
      return stroke(d`M${middle - half},${y}H${middle + half}`, palette.sun, unit * (0.35 + depth * 0.5), {
        opacity: 0.75 - depth * 0.45,
      })
    })
    .join('')

const ripples = ({ width, height, unit, palette, random }: Stage): string =>
  upTo(34)
    .map(() => {
      const depth = random.next()
      const [x, y] = [random.next() * width, height * (shore + 0.03 + depth * 0.4)]
      const half = unit * (1.5 + depth * 6)
      return stroke(
        d`M${x - half},${y}Q${x},${y - unit * 0.3} ${x + half},${y}`,
        depth < 0.5 ? palette.water[0] : mix(palette.water[1], palette.ink, 0.25),
        unit * (0.18 + depth * 0.2),
        { opacity: 0.55 },
      )
    })
    .join('')

/** Reeds at the near shore, which close the picture at its foot. */
const reeds = (stage: Stage): string => {
  const { width, height, unit, palette, random, gradients } = stage
  const side = random.side()
  const bank = smooth(
    spread(9, -0.04, 1.04).map(
      (x): Point => [
        x * width,
        height * (0.985 - 0.12 * Math.max(0, side * (x - 0.5) * 2 - 0.1) + Math.sin(x * 9) * 0.006),
      ],
    ),
  )
  const blades = upTo(46).map(() => {
    const away = random.next() ** 1.6 * 0.36
    const x = width * (side > 0 ? 1 - away : away)
    const [tall, lean, y] = [
      unit * random.between(5, 15) * (1 - away * 1.6),
      unit * random.between(-2, 2),
      height * random.between(0.96, 1.02),
    ]
    const blade = stroke(
      d`M${x},${y}Q${x},${y - tall * 0.6} ${x + lean},${y - tall}`,
      random.pick([palette.leaf[0], palette.leaf[1], palette.leaf[1]]),
      unit * 0.5,
    )
    const cattail = stroke(
      d`M${x + lean},${y - tall}v${-unit * 2.2}`,
      mix(palette.roof, palette.ink, 0.4),
      unit * 1.1,
    )
    return random.next() < 0.3 ? blade + cattail : blade
  })
  return (
    path(below(bank, stage), gradients.down(palette.hills[3], mix(palette.hills[3], palette.ink, 0.4))) +
    blades.join('')
  )
}

/** Three boats on a lake, mountains behind, light on the water. */
export const lake = (stage: Stage): string => {
  const { width, height, unit, palette, random, gradients, centre } = stage
  const [far, middle, near] = palette.hills
  const side = random.side()
  const sunX = 0.5 + side * random.between(0.14, 0.24)
  const across = (share: number): number => centre - side * share * unit
  return [
    heavens(stage, sunX, 0.3, 7.5),
    peaks(stage, shore, 25, far),
    ridge(stage, shore - 0.09, 4, far),
    ridge(stage, shore - 0.045, 3.4, middle),
    grove(stage, 16, () => [random.next() * width, height * shore, unit * random.between(0.35, 0.7)]),
    rect(0, height * (shore - 0.012), width, unit * 1.6, mix(near, palette.ink, 0.1)),
    rect(
      0,
      height * shore,
      width,
      height,
      gradients.down(palette.water[0], palette.water[1], mix(palette.water[1], palette.ink, 0.3)),
    ),
    rect(
      0,
      height * shore,
      width,
      height * 0.09,
      gradients.down(mix(middle, palette.water[1], 0.3), palette.water[0]),
      { opacity: 0.45 },
    ),
    glitter(stage, sunX),
    ripples(stage),
    boat(stage, across(-34), height * 0.61, unit * 0.62, side, [
      palette.wall,
      mix(palette.wall, palette.bright, 0.4),
    ]),
    boat(stage, across(27), height * 0.65, unit * 0.92, side === 1 ? -1 : 1, [
      palette.bright,
      mix(palette.bright, palette.wall, 0.4),
    ]),
    boat(stage, across(-7), height * 0.79, unit * 1.85, side, [
      palette.wall,
      mix(palette.roof, palette.bright, 0.3),
    ]),
    reeds(stage),
  ].join('')
}
