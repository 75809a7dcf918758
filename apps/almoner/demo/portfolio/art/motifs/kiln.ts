import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { upTo } from '../../../scene/curve.ts'
import { road, shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from '../../../scene/svg.ts'
import { bush } from '../../../scene/trees.ts'

/** Courses of brick on the dome, each row shorter than the one below. */
const bricks = ({ palette, random }: Stage): string =>
  upTo(6)
    .flatMap((row) => {
      const y = -7 - row * 5.4
      const half = Math.sqrt(Math.max(0, 1 - ((row + 0.4) / 7.2) ** 2)) * 21
      return upTo(5).map(() => {
        const x = random.between(-half + 2, half - 5)
        return rect(
          x,
          y,
          random.between(3, 4.6),
          2.2,
          mix(palette.roof, palette.wall, random.between(0.2, 0.45)),
          {
            rx: 0.3,
            opacity: 0.55,
          },
        )
      })
    })
    .join('')

const oven = (stage: Stage): string => {
  const { palette, gradients } = stage
  const brick = mix(palette.roof, palette.ink, 0.12)
  return [
    shadow(stage, 3, 0.8, 33, 4),
    rect(-5, -58, 10, 24, gradients.across(mix(brick, palette.wall, 0.25), mix(brick, palette.ink, 0.25))),
    rect(-6.2, -59.6, 12.4, 2.8, mix(brick, palette.ink, 0.3), { rx: 0.5 }),
    path(
      'M-24,0.4C-25,-26 -14,-42 0,-42C14,-42 25,-26 24,0.4Z',
      gradients.across(mix(brick, palette.bright, 0.3), brick, mix(brick, palette.ink, 0.35)),
    ),
    bricks(stage),
    path('M-10,0.4V-10A10,10.6 0 0 1 10,-10V0.4Z', mix(brick, palette.ink, 0.45)),
    path(
      'M-7.6,0.4V-9.6A7.6,8.4 0 0 1 7.6,-9.6V0.4Z',
      gradients.down(palette.ink, palette.roof, palette.bright),
    ),
    path(
      'M-5,0.4Q-5.6,-5 -2.4,-8Q-2.6,-4.6 -0.4,-3.8Q-0.6,-8 2.4,-10.4Q2.2,-6 4.4,-4.4Q5.4,-2 4.6,0.4Z',
      palette.bright,
    ),
    path('M-2.4,0.4Q-2.6,-2.6 -0.8,-3.8Q0,-2 1.4,-4.2Q2.8,-2 2.2,0.4Z', palette.wall),
    circle(0, -4, 17, gradients.glow(palette.bright, 0.45)),
    rect(-26, -1.2, 52, 2, mix(palette.wall, palette.ink, 0.45), { rx: 0.8 }),
  ].join('')
}

const smoke = ({ palette }: Stage, side: number): string =>
  upTo(6)
    .map((at) =>
      circle(side * at * at * 0.75, -62 - at * 2.6, 2 + at * 0.95, mix(palette.wall, palette.sky[1], 0.4), {
        opacity: 0.6 - at * 0.08,
      }),
    )
    .join('')

const shapes = [
  'M-1.3,-7H1.3L1,-5.6C3.4,-4.8 3.2,-1.2 1.6,0H-1.6C-3.2,-1.2 -3.4,-4.8 -1,-5.6Z',
  'M-2.8,-4H2.8Q2.4,-0.6 1.2,0H-1.2Q-2.4,-0.6 -2.8,-4Z',
  'M-0.9,-8.4H0.9L0.8,-4.6C2.4,-3.6 2.4,-1 1.4,0H-1.4C-2.4,-1 -2.4,-3.6 -0.8,-4.6Z',
] as const

const pot = ({ palette, random }: Stage, x: number, y: number, size: number, shape: number): string => {
  const colour = random.pick([
    palette.wall,
    palette.bright,
    palette.water[1],
    mix(palette.roof, palette.wall, 0.35),
    palette.leaf[1],
  ])
  return place(
    x,
    y,
    size,
    path(shapes[shape % 3] ?? shapes[0], colour),
    stroke('M-2.3,-3H2.3', mix(colour, palette.ink, 0.35), 0.45),
  )
}

const shelves = (stage: Stage): string => {
  const { palette } = stage
  const wood = mix(palette.roof, palette.ink, 0.5)
  return [
    shadow(stage, 0, 0.6, 18, 2),
    stroke('M-14,0V-29M14,0V-29', wood, 1),
    path('M-17,-28.6L-13,-33H13L17,-28.6Z', mix(palette.roof, palette.ink, 0.25)),
    ...[-2, -11, -20].map((y, row) =>
      [
        ...upTo(4).map((at) => pot(stage, -10 + at * 6.7, y, 0.98, at + row * 2)),
        rect(-15.4, y, 30.8, 1.1, mix(wood, palette.wall, 0.3)),
      ].join(''),
    ),
  ].join('')
}

/** The potter at the wheel. */
const potter = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    figure(stage, -5.6, 1, 1.75, { ...somebody(stage), dress: false }, [1.6, -5.4, 3, -5.8]),
    shadow(stage, 1.6, 0.6, 6, 1),
    rect(-0.6, -5.8, 2.2, 6, mix(palette.roof, palette.ink, 0.55)),
    ellipse(0.5, 0, 4.6, 1, mix(palette.ink, palette.wall, 0.25)),
    ellipse(0.5, -6, 4, 1, mix(palette.wall, palette.ink, 0.4)),
    path(
      'M-1.7,-6Q-2.6,-9 -0.9,-10.6H1.9Q3.6,-9 2.7,-6Z',
      gradients.across(mix(palette.roof, palette.wall, 0.4), palette.roof),
    ),
    ellipse(0.5, -10.6, 1.4, 0.4, mix(palette.roof, palette.ink, 0.4)),
  ].join('')
}

/** A pottery: the kiln alight, the shelves, and somebody at the wheel. */
export const kiln = (stage: Stage): string => {
  const side = stage.random.side()
  return [
    country(stage, 6),
    flanks(stage, 46, 7),
    road(stage, side * 12, 6, 17),
    subject(
      stage,
      place(side * 12, 0, 0.82, smoke(stage, side), oven(stage)),
      place(side * -24, 3, 1.1, shelves(stage)),
      bush(stage, side * 37, 2, 1.1),
      place(side * -1, 10, 1.1, potter(stage)),
      ...upTo(3).map((at) => pot(stage, side * (24 + at * 5), 7 + at * 1.2, 1.15, at)),
      figure(stage, side * 40, 6.4, 1.65, { ...somebody(stage), dress: true }, [-2.4, -5, 2.4, -5]),
      stroke(d`M${side * 40 - 2},-2.4h4`, stage.palette.wall, 1),
    ),
  ].join('')
}
