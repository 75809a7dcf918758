import { mix } from './colour.ts'
import { upTo } from './curve.ts'
import { shadow } from './land.ts'
import type { Palette } from './palette.ts'
import type { Stage } from './stage.ts'
import { circle, d, ellipse, path, place, rect, stroke, turn } from './svg.ts'

/** One tree of each kind, about ten units tall, its foot at (0, 0), lit from the left. */
type Draw = (stage: Stage) => string

const bark = (palette: Palette): string => mix(palette.roof, palette.ink, 0.55)

const crownPaint = ({ palette, gradients }: Stage): string =>
  gradients.across(mix(palette.leaf[0], palette.bright, 0.12), palette.leaf[1])

const round: Draw = (stage) =>
  [
    path('M-0.45,0L-0.25,-5H0.25L0.45,0Z', bark(stage.palette)),
    circle(0, -6.6, 3.5, crownPaint(stage)),
    circle(-1.9, -5, 1.9, crownPaint(stage)),
    circle(2, -4.9, 1.8, crownPaint(stage)),
    circle(-1.1, -7.7, 1, mix(stage.palette.leaf[0], stage.palette.bright, 0.3), { opacity: 0.4 }),
    stroke('M0,-3V-6.4M0,-4.6L1.3,-5.8M0,-4L-1.2,-5.2', bark(stage.palette), 0.3, { opacity: 0.7 }),
  ].join('')

const poplar: Draw = (stage) =>
  [
    rect(-0.3, -2.4, 0.6, 2.4, bark(stage.palette)),
    path('M0,-11C2.2,-8.4 2.4,-3 1.5,-1.7Q0,-0.6 -1.5,-1.7C-2.4,-3 -2.2,-8.4 0,-11Z', crownPaint(stage)),
    stroke('M0,-1.5V-8M0,-3.4L0.8,-4.6M0,-5L-0.7,-6', stage.palette.leaf[1], 0.22, { opacity: 0.8 }),
  ].join('')

const pine: Draw = (stage) => {
  const tier = (y: number, half: number, tall: number): string =>
    path(
      d`M0,${y - tall}L${half},${y}Q${half / 2},${y + 0.5} 0,${y + 0.25}Q${-half / 2},${y + 0.5} ${-half},${y}Z`,
      crownPaint(stage),
    )
  return [
    rect(-0.35, -1.8, 0.7, 1.8, bark(stage.palette)),
    tier(-1.4, 2.9, 4.2),
    tier(-3.7, 2.4, 3.9),
    tier(-6, 1.8, 4.4),
  ].join('')
}

const acacia: Draw = (stage) =>
  [
    stroke(
      'M0.2,0Q0.3,-3 -0.2,-4Q-1.6,-5.6 -3,-6.6M-0.1,-3.8Q1.2,-5.4 3.2,-6.6M0,-4Q0,-5.6 0.2,-7',
      bark(stage.palette),
      0.5,
    ),
    path(
      'M-6,-6.3C-6.2,-7.9 -3.6,-8.7 -2.4,-8.5C-1.4,-9.8 1.8,-9.8 2.8,-8.4C4.6,-8.6 6.4,-7.6 6,-6.3Q3,-5.7 0,-6.2Q-3,-5.7 -6,-6.3Z',
      crownPaint(stage),
    ),
    path('M-4,-7.3Q-2.4,-8.3 -0.8,-7.7Q-2.4,-7.5 -4,-7.3Z', stage.palette.bright, { opacity: 0.25 }),
  ].join('')

const palm: Draw = (stage) => {
  const frond = path('M0,0C1.6,-1.6 4,-1.4 5.2,1C3.6,-0.1 1.8,0 0,0.7Z', crownPaint(stage))
  const { palette } = stage
  return [
    path('M-0.5,0Q0,-5 0.9,-8.6L1.5,-8.5Q0.8,-4.6 0.55,0Z', bark(palette)),
    place(1.2, -8.7, 1, ...[195, 152, 232, 330, 20, -68].map((angle) => turn(angle, frond))),
    circle(1.6, -8.1, 0.45, palette.bright) + circle(0.8, -8, 0.45, palette.roof),
  ].join('')
}

const kinds: Readonly<Record<Palette['tree'], Draw>> = { round, poplar, pine, acacia, palm }

/** A tree of the palette's kind. `size` 1 is ten units tall. */
export const tree = (stage: Stage, x: number, y: number, size: number): string =>
  place(x, y, size, shadow(stage, 0.8, 0, 3.8, 0.8), kinds[stage.palette.tree](stage))

/** A low round shrub, to settle buildings into the ground. */
export const bush = (stage: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    shadow(stage, 0, 0, 3.4, 0.6),
    path(
      'M-3,0.1C-3.6,-1.6 -2,-2.2 -1.6,-2C-1.2,-3.4 1,-3.4 1.4,-2.2C2.6,-2.6 3.6,-1.2 3,0.1Z',
      crownPaint(stage),
    ),
  )

/** Two leaves on a stem, about three units tall. */
export const seedling = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette } = stage
  return place(
    x,
    y,
    size,
    ellipse(0, 0, 1.1, 0.3, palette.ink, { opacity: 0.25 }),
    stroke('M0,0Q-0.15,-1 0,-2', palette.leaf[1], 0.22),
    path('M0,-1.3C-0.3,-2.6 -1.5,-2.8 -2,-2.5C-1.9,-1.6 -0.9,-1 0,-1.3Z', palette.leaf[0]),
    path('M0,-1.7C0.2,-3 1.4,-3.4 2,-3.1C2,-2 1,-1.4 0,-1.7Z', mix(palette.leaf[0], palette.bright, 0.3)),
  )
}

/** Trees scattered along a band of the picture, far ones first so that near ones stand before them. */
export const grove = (
  stage: Stage,
  count: number,
  at: (index: number) => readonly [x: number, y: number, size: number],
): string =>
  upTo(count)
    .map(at)
    .toSorted((one, other) => one[1] - other[1])
    .map(([x, y, size]) => tree(stage, x, y, size))
    .join('')
