import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread } from '../../../scene/curve.ts'
import { shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, path, place, rect, stroke } from '../../../scene/svg.ts'

type Goods = (stage: Stage, x: number) => string

/** Heaps of round fruit, five to a crate. */
const fruit: Goods = (stage, x) => {
  const { palette, random } = stage
  const colour = random.pick([
    palette.roof,
    palette.bright,
    palette.leaf[0],
    mix(palette.roof, palette.bright, 0.5),
  ])
  return [
    [-1.9, -2.6],
    [0, -2.7],
    [1.9, -2.6],
    [-1, -3.9],
    [1, -3.9],
  ]
    .map(([dx = 0, dy = 0], at) => circle(x + dx, dy, 1.1, mix(colour, palette.ink, (at % 3) * 0.07)))
    .join('')
}

/** Open sacks of grain. */
const grain: Goods = ({ palette, random }, x) => {
  const colour = random.pick([
    palette.bright,
    mix(palette.wall, palette.bright, 0.4),
    mix(palette.roof, palette.wall, 0.3),
  ])
  return [
    path(d`M${x - 2.4},-2.6Q${x},-6 ${x + 2.4},-2.6Z`, colour),
    path(d`M${x - 2.8},-3H${x + 2.8}L${x + 2.4},-0.4H${x - 2.4}Z`, mix(palette.wall, palette.roof, 0.3)),
  ].join('')
}

/** Bunches of leaves. */
const greens: Goods = ({ palette }, x) =>
  stroke(
    d`M${x - 1.6},-1.6L${x - 2.4},-4.6M${x - 0.6},-1.6L${x - 0.8},-5.4M${x + 0.6},-1.6L${x + 0.9},-5.2M${x + 1.6},-1.6L${
      x + 2.4
    },-4.4`,
    palette.leaf[0],
    1.3,
  ) + rect(x - 2.4, -2.2, 4.8, 0.9, palette.bright, { rx: 0.4 })

const awning = ({ palette }: Stage, colour: string): string =>
  spread(8, -13, 9.75)
    .map((x, at) => {
      const fill = at % 2 === 0 ? colour : palette.wall
      const [top, bottom] = [x * 0.86, x]
      return (
        path(d`M${top},-31L${top + 2.8},-31L${bottom + 3.25},-24H${bottom}Z`, fill) +
        path(
          d`M${bottom},-24H${bottom + 3.25}V-22.6A1.63,1.7 0 0 1 ${bottom},-22.6Z`,
          mix(fill, palette.ink, 0.12),
        )
      )
    })
    .join('')

const stall = (
  stage: Stage,
  x: number,
  y: number,
  size: number,
  colour: string,
  goods: readonly Goods[],
): string => {
  const { palette, gradients } = stage
  const wood = mix(palette.roof, palette.ink, 0.45)
  return place(
    x,
    y,
    size,
    shadow(stage, 1, 0.4, 17, 2.4),
    rect(-11.6, -26, 0.9, 26, wood) + rect(10.7, -26, 0.9, 26, wood),
    figure(stage, 0, -0.4, 1.6, somebody(stage), [-2.6, -5.6, 2.6, -5.8]),
    place(0, -9, 1, ...goods.map((draw, at) => draw(stage, -7.4 + at * 7.4))),
    rect(-12.4, -10, 24.8, 2, mix(palette.wall, wood, 0.3), { rx: 0.4 }),
    rect(-11.8, -8, 23.6, 8, gradients.down(mix(wood, palette.wall, 0.25), wood)),
    stroke('M-4,-7.6V-0.4M4,-7.6V-0.4M-11.4,-4H11.4', mix(wood, palette.ink, 0.4), 0.3, { opacity: 0.7 }),
    awning(stage, colour),
    stroke('M-11.3,-31H11.3', mix(colour, palette.ink, 0.3), 0.9),
  )
}

const basket = (stage: Stage, x: number, y: number, size: number, goods: Goods): string => {
  const { palette, gradients } = stage
  return place(
    x,
    y,
    size,
    shadow(stage, 0.4, 0, 4.6, 0.9),
    place(0, -1.4, 1, goods(stage, 0)),
    path(
      'M-3.6,-3.4H3.6L2.6,0H-2.6Z',
      gradients.across(palette.bright, mix(palette.bright, palette.roof, 0.6)),
    ),
    stroke('M-3.3,-2.3H3.3M-3,-1.1H3', mix(palette.roof, palette.ink, 0.3), 0.25),
  )
}

/** Market day: three stalls, and people who have come to sell and to buy. */
export const market = (stage: Stage): string => {
  const { palette } = stage
  return [
    country(stage, 4),
    flanks(stage, 50, 6),
    subject(
      stage,
      stall(stage, -32, -2, 1.12, palette.leaf[1], [greens, fruit, greens]),
      stall(stage, 33, -2, 1.12, palette.water[1], [fruit, grain, fruit]),
      stall(stage, 0, 1.4, 1.4, palette.roof, [grain, fruit, grain]),
      figure(stage, -17.4, 8, 1.75, { ...somebody(stage), dress: true }, [-1.8, -4, 3, -5.4]),
      basket(stage, -10.4, 9.4, 1.1, fruit),
      figure(stage, 19, 7.4, 1.7, somebody(stage), [-3, -5.2, 1.9, -4]),
      figure(stage, 24, 8.4, 1.02, somebody(stage)),
      basket(stage, 34, 8, 1.2, grain) + basket(stage, 42, 6.6, 0.9, fruit),
      figure(stage, -41, 6, 1.6, somebody(stage)),
    ),
  ].join('')
}
