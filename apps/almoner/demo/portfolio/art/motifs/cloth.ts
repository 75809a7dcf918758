import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread, upTo } from '../../../scene/curve.ts'
import { shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from '../../../scene/svg.ts'

/** A length of cloth that hangs from (0, 0), five units wide, with a border and one of four patterns. */
const length = (
  { palette, gradients, random }: Stage,
  colour: string,
  tall: number,
  pattern: number,
): string => {
  const sway = random.between(-1.2, 1.2)
  const pale = mix(colour, palette.wall, 0.55)
  const across = (share: number): readonly [left: number, right: number, y: number] => [
    sway * share,
    7.4 + sway * share,
    tall * share,
  ]
  const band = (share: number, width: number): string => {
    const [left, right, y] = across(share)
    return stroke(d`M${left + 0.2},${y}Q${(left + right) / 2},${y + 0.8} ${right - 0.2},${y}`, pale, width, {
      'stroke-linecap': 'butt',
    })
  }
  const dots = (share: number): string => {
    const [left, , y] = across(share)
    return [1.5, 3.7, 5.9].map((x) => circle(left + x, y + 0.3, 0.62, pale)).join('')
  }
  const figureOf = [
    () => spread(5, 0.2, 0.8).map((share) => band(share, 0.5)),
    () => spread(4, 0.18, 0.74).map(dots),
    () => [band(0.5, 2.2), band(0.62, 0.5), band(0.38, 0.5)],
    () => spread(3, 0.25, 0.7).flatMap((share) => [band(share, 0.3), dots(share + 0.09)]),
  ][pattern % 4]
  return [
    path(
      d`M0,0H7.4Q${7.8 + sway * 0.2},${tall / 2} ${7.4 + sway},${tall}Q${3.7 + sway},${tall + 1.2} ${sway},${tall}Q${
        0.4 + sway * 0.2
      },${tall / 2} 0,0Z`,
      gradients.across(mix(colour, palette.wall, 0.14), mix(colour, palette.ink, 0.16)),
    ),
    ...(figureOf?.() ?? []),
    band(0.94, 0.7),
    rect(0.6, -0.7, 0.5, 1.4, palette.wall) + rect(6.2, -0.7, 0.5, 1.4, palette.wall),
  ].join('')
}

const line = (stage: Stage, x: number, y: number, size: number, count: number, first: number): string => {
  const { palette, random } = stage
  const colours = [
    palette.roof,
    palette.water[1],
    palette.bright,
    palette.leaf[1],
    mix(palette.roof, palette.bright, 0.55),
    palette.wall,
    mix(palette.water[1], palette.ink, 0.35),
  ]
  const wood = mix(palette.roof, palette.ink, 0.55)
  const half = (count * 8.6) / 2
  return place(
    x,
    y,
    size,
    ...[-half - 1.6, half + 0.4].map((x) => rect(x, -32, 1.2, 32.4, wood, { rx: 0.5 })),
    ...[-half - 1, half + 1].map((x) => ellipse(x, 0.4, 2.4, 0.6, palette.ink, { opacity: 0.3 })),
    stroke(d`M${-half - 1},-31Q0,-28.4 ${half + 1},-31`, palette.wall, 0.3),
    ...upTo(count).map((at) => {
      const left = -half + at * 8.6 + 0.6
      const sag = -30.6 + (1 - ((left + 4) / half) ** 2) * 1.2
      const colour = colours[(at + first) % colours.length] ?? palette.roof
      return place(left, sag, 1, length(stage, colour, random.between(17, 24), at + first))
    }),
  )
}

/** A vat on its hearth, full of dye. */
const vat = (stage: Stage, x: number, y: number, size: number, dye: string): string => {
  const { palette, gradients } = stage
  return place(
    x,
    y,
    size,
    shadow(stage, 0.6, 0.2, 8.6, 1.5),
    path(
      'M-6,-8.6H6L5,-1Q0,1.2 -5,-1Z',
      gradients.across(mix(palette.wall, palette.roof, 0.55), palette.roof),
    ),
    ellipse(0, -8.6, 6.6, 1.8, mix(palette.roof, palette.ink, 0.35)),
    ellipse(0, -8.5, 5.5, 1.3, dye),
    stroke('M-2.6,-8.8Q-0.6,-9.3 2,-8.7', mix(dye, palette.wall, 0.6), 0.3),
  )
}

/** A dyers’ yard: cloth drying on two lines, and the vats it came from. */
export const cloth = (stage: Stage): string => {
  const { palette } = stage
  return [
    country(stage, 5),
    flanks(stage, 50, 6),
    subject(
      stage,
      line(stage, -30, -7, 1.05, 5, 3),
      line(stage, 15, 2, 1.45, 6, 0),
      vat(stage, -36, 9, 1.15, palette.water[1]),
      vat(stage, -50, 6, 0.95, palette.bright),
      figure(stage, -26, 10, 1.7, { ...somebody(stage), dress: true }, [-3.4, -5.6, 1.6, -4]),
      figure(stage, 30, 9.4, 1.7, { ...somebody(stage), dress: true }, [-3, -8.4, 2, -4]),
      vat(stage, 41, 10, 1.1, palette.roof),
    ),
  ].join('')
}
