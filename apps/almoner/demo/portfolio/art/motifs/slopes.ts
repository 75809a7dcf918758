import { mix } from '../../../scene/colour.ts'
import { type Point, smooth, spread, upTo } from '../../../scene/curve.ts'
import { below, peaks, ridge } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { heavens } from '../../../scene/sky.ts'
import type { Stage } from '../../../scene/stage.ts'
import { d, path, place, rect, stroke } from '../../../scene/svg.ts'
import { grove, seedling, tree } from '../../../scene/trees.ts'

/** The edge of one step of the slope: higher on the side of the hill, wavy with the lie of the land. */
type Edge = (x: number) => number

const edges = (stage: Stage, side: number, count: number): readonly Edge[] => {
  const { width, height, random } = stage
  const phase = random.between(0, 6)
  return spread(count, 0.5, 0.95).map((level, at) => (x) => {
    const share = x / width - 0.5
    const lift = side * share * 0.22 * (1 - at / count)
    return height * (level - lift + Math.sin(share * 7 + phase + at * 0.5) * 0.022)
  })
}

const line = ({ width }: Stage, edge: Edge, shift = 0): string =>
  smooth(spread(9, -0.05, 1.05).map((share): Point => [share * width, edge(share * width) + shift]))

/** One step: the crop’s colour, a dry-stone wall along its edge, and the stones in it. */
const step = (stage: Stage, edge: Edge, at: number, count: number): string => {
  const { width, unit, palette, random, gradients } = stage
  const colours = [
    palette.leaf[0],
    mix(palette.leaf[0], palette.bright, 0.5),
    palette.leaf[1],
    mix(palette.bright, palette.leaf[0], 0.25),
  ]
  const field = colours[at % colours.length] ?? palette.leaf[0]
  const tall = unit * (1.2 + (at / count) * 2.4)
  const stone = mix(palette.wall, palette.hills[3], 0.45)
  const stones = upTo(16).map(() => {
    const x = random.next() * width
    const long = tall * random.between(0.5, 1)
    return d`M${x},${edge(x) + tall * random.between(0.2, 0.75)}h${long}`
  })
  return [
    path(below(line(stage, edge), stage), stone),
    stroke(stones.join(''), mix(stone, palette.ink, 0.3), tall * 0.12, { opacity: 0.7 }),
    path(below(line(stage, edge, tall), stage), gradients.down(field, mix(field, palette.ink, 0.35))),
    stroke(line(stage, edge), mix(stone, palette.wall, 0.5), unit * 0.3),
  ].join('')
}

/** Rows of a young crop on a step, drawn as dashes so that a whole row is one line. */
const rows = (stage: Stage, edge: Edge, next: Edge, at: number): string => {
  const { unit, palette } = stage
  const size = unit * (0.7 + at * 0.12)
  return [0.62, 0.82]
    .map((share) =>
      stroke(
        smooth(
          spread(9, -0.05, 1.05).map((along): Point => {
            const x = along * stage.width
            return [x, edge(x) + (next(x) - edge(x)) * share]
          }),
        ),
        at % 2 === 0 ? mix(palette.leaf[1], palette.ink, 0.2) : mix(palette.bright, palette.wall, 0.35),
        size * 0.42,
        { 'stroke-dasharray': `${(size * 0.1).toFixed(1)} ${(size * 1.9).toFixed(1)}`, opacity: 0.8 },
      ),
    )
    .join('')
}

const cottage = (stage: Stage, x: number, y: number): string => {
  const { palette, gradients, unit } = stage
  return place(
    x,
    y,
    unit,
    rect(-6, -8, 12, 8.6, gradients.across(palette.wall, mix(palette.wall, palette.hills[1], 0.5))),
    path('M-8,-7.6L-4,-13H4.6L8,-7.6Z', gradients.across(palette.roof, mix(palette.roof, palette.ink, 0.3))),
    rect(-1.4, -5, 2.8, 5.6, mix(palette.roof, palette.ink, 0.4)),
    ...[-4.6, 2.6].map((at) => rect(at, -5.4, 2, 2.2, palette.dark ? palette.bright : palette.water[1])),
    tree(stage, -10.6, 1, 0.95),
    tree(stage, 10.4, 1.2, 0.8),
  )
}

/** A hillside of stone-walled steps under crops, a cottage, and the people who keep the walls. */
export const slopes = (stage: Stage): string => {
  const { width, height, unit, palette, random } = stage
  const side = random.side()
  const [far, middle] = palette.hills
  const all = edges(stage, side, 7)
  const bottom: Edge = () => height * 1.06
  const at = (share: number, index: number, into: number): Point => {
    const x = width * share
    return [x, (all[index] ?? bottom)(x) + unit * into]
  }
  const [houseX, houseY] = at(0.5 + side * 0.26, 1, 1)
  const person = (share: number, index: number, size: number, dress: boolean): string =>
    figure(
      stage,
      ...at(share, index, 3.6),
      unit * size,
      { ...somebody(stage), dress },
      [-2.4, -4.6, 2.2, -3.6],
    )
  return [
    heavens(stage, 0.5 - side * 0.24, 0.2),
    peaks(stage, 0.56, 27, far),
    ridge(stage, 0.5, 6, far),
    ridge(stage, 0.53, 5, middle),
    grove(stage, 9, () => [random.next() * width, height * random.between(0.53, 0.56), unit * 0.5]),
    ...all.flatMap((edge, index) => [
      step(stage, edge, index, all.length),
      rows(stage, edge, all[index + 1] ?? bottom, index),
      index === 1 ? cottage(stage, houseX, houseY) : '',
    ]),
    person(0.5 - side * 0.12, 3, 1.15, true),
    person(0.5 - side * 0.06, 3, 1.1, false),
    person(0.5 + side * 0.14, 4, 1.4, true),
    ...[0.2, 0.27, 0.72, 0.8].map((share) => seedling(stage, ...at(share, 6, 4), unit * 1.5)),
  ].join('')
}
