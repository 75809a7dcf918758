import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { upTo } from '../../../scene/curve.ts'
import { shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke, turn } from '../../../scene/svg.ts'

const hive = (stage: Stage, x: number, y: number, size: number, colour: string, boxes: number): string => {
  const { palette, gradients } = stage
  const wood = mix(palette.roof, palette.ink, 0.55)
  const top = -3.4 - boxes * 6
  return place(
    x,
    y,
    size,
    shadow(stage, 1, 0.2, 10, 1.6),
    stroke('M-5,0V-4M5,0V-4', wood, 1.1),
    ...upTo(boxes).map((at) => {
      const y0 = -9.4 - at * 6
      const shade = mix(colour, palette.wall, at * 0.28)
      return [
        rect(
          -6.6,
          y0,
          13.2,
          5.9,
          gradients.across(mix(shade, palette.wall, 0.25), mix(shade, palette.ink, 0.18)),
        ),
        rect(-2, y0 + 2, 4, 0.9, mix(shade, palette.ink, 0.4), { rx: 0.45 }),
      ].join('')
    }),
    rect(-7.4, -4, 15, 1, wood) + rect(-3, -5.2, 6, 0.9, mix(palette.ink, palette.roof, 0.2)),
    path(
      d`M-7.8,${top}H7.8L6.6,${top - 2.2}H-6.6Z`,
      gradients.down(palette.wall, mix(palette.wall, palette.ink, 0.3)),
    ),
  )
}

const bee = ({ palette, random }: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    turn(
      random.between(-30, 20),
      ellipse(-0.5, -1.3, 0.7, 1.3, palette.wall, { opacity: 0.85 }),
      ellipse(0.8, -1.2, 0.6, 1.1, palette.wall, { opacity: 0.7 }),
      ellipse(0, 0, 1.7, 1.05, palette.bright),
      stroke('M-0.5,-0.9V0.9M0.5,-0.9V0.9', palette.ink, 0.42),
      circle(1.6, -0.1, 0.55, palette.ink),
    ),
  )

/** The way a bee has come, as a dotted curl that ends at the bee. */
const flight = (stage: Stage, x: number, y: number, side: -1 | 1): string =>
  stroke(d`M${x},${y}q${side * 6},5 ${side * 11},1t${side * 8},-5`, stage.palette.ink, 0.3, {
    'stroke-dasharray': '0.2 1.2',
    opacity: 0.6,
  }) + bee(stage, x, y, 1)

/** Five round petals about a point four units above the ground. */
const petals = upTo(5)
  .map((at) => {
    const angle = (at / 5) * Math.PI * 2
    return d`M${Math.sin(angle) * 0.9 - 0.65},${-4.2 - Math.cos(angle) * 0.9}a0.65,0.65 0 1 1 0,0.01`
  })
  .join('')

const flower = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette, random } = stage
  const colour = random.pick([
    palette.wall,
    palette.roof,
    palette.bright,
    mix(palette.roof, palette.wall, 0.5),
  ])
  return place(
    x,
    y,
    size,
    stroke('M0,0Q0.3,-2 0,-4', palette.leaf[0], 0.35),
    path(petals, colour) + circle(0, -4.2, 0.5, mix(palette.bright, palette.ink, 0.15)),
  )
}

const meadow = (stage: Stage): string => {
  const { random } = stage
  return upTo(30)
    .map(() => random.next())
    .toSorted((one, other) => one - other)
    .map((depth) => flower(stage, random.between(-88, 88), 5 + depth * 14, 0.7 + depth * 0.75))
    .join('')
}

/** An apiary in a flowering meadow, its keeper and her smoker. */
export const hives = (stage: Stage): string => {
  const { palette } = stage
  const keeper = { ...somebody(stage), cloth: palette.wall, dress: false }
  return [
    country(stage, 4, 12),
    flanks(stage, 48, 7),
    subject(
      stage,
      hive(stage, -38, -1, 0.9, palette.leaf[1], 2),
      hive(stage, 37, -1, 0.95, palette.roof, 2),
      hive(stage, -21, 1, 1.15, palette.bright, 3),
      hive(stage, 0, 0.4, 1.15, palette.water[1], 2),
      hive(stage, 20, 1.4, 1.2, mix(palette.roof, palette.bright, 0.5), 3),
      figure(stage, -9.4, 5, 1.9, keeper, [-3.2, -5.6, 2.4, -6.2]),
      place(
        -9.4,
        5,
        1.9,
        ellipse(0, -10, 2.6, 0.6, palette.bright),
        path('M-1.3,-10Q0,-12.4 1.3,-10Z', palette.bright),
      ),
      place(-3.8, -7, 1, rect(-1, -2, 2.2, 3.2, mix(palette.ink, palette.wall, 0.45), { rx: 0.4 })),
      circle(-2.4, -12, 2, palette.wall, { opacity: 0.45 }) +
        circle(-0.6, -15, 2.8, palette.wall, { opacity: 0.3 }),
      flight(stage, -30, -32, -1),
      flight(stage, 12, -36, 1),
      flight(stage, 31, -25, 1),
      flight(stage, -9, -28, -1),
      meadow(stage),
    ),
  ].join('')
}
