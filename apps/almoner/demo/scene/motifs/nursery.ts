import { mix } from '../colour.ts'
import { spread, upTo } from '../curve.ts'
import { peaks, ridge, shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { heavens } from '../sky.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from '../svg.ts'
import { grove, seedling } from '../trees.ts'

/** Furrows that run from the horizon to the near edge, one seedling after the other on each. */
const rows = (stage: Stage): string => {
  const { width, height, centre, unit, ground, palette, gradients } = stage
  const [top, count] = [ground - unit * 14, 13]
  const [light, dark] = [mix(palette.roof, palette.ink, 0.42), mix(palette.roof, palette.ink, 0.58)]
  const edge = (index: number, y: number): number =>
    centre + (index - count / 2) * unit * (3.2 + ((y - top) / unit) * 0.55)
  const furrows = upTo(count).map((index) =>
    path(
      d`M${edge(index, top)},${top}H${edge(index + 0.62, top)}L${edge(index + 0.62, height)},${height}H${edge(index, height)}Z`,
      gradients.down(mix(light, palette.bright, 0.2), mix(light, palette.bright, 0.05)),
    ),
  )
  const plants = spread(9, 0, 1).flatMap((depth) =>
    upTo(count).map((index) => {
      const y = top + unit * 1.5 + (height * 1.02 - top) * depth ** 1.7
      return seedling(stage, edge(index + 0.31, y), y, unit * (0.38 + depth ** 1.5 * 1.5))
    }),
  )
  return [
    path(d`M0,${top}H${width}V${height}H0Z`, gradients.down(mix(palette.hills[2], dark, 0.4), dark)),
    ...furrows,
    ...plants,
  ].join('')
}

/** The polytunnel: hoops under a translucent cover. */
const tunnel = (stage: Stage): string => {
  const { palette, gradients } = stage
  const hoop = 'M-15,0V-7A15,14 0 0 1 15,-7V0'
  return [
    shadow(stage, 6, 0.4, 34, 2.4),
    path(
      'M-15,0V-7A15,14 0 0 1 0,-21H22A15,14 0 0 1 37,-7V0Z',
      gradients.down(mix(palette.wall, '#ffffff', 0.5), mix(palette.wall, palette.water[1], 0.3)),
      { opacity: 0.95 },
    ),
    ...[6, 12, 18].map((x) =>
      stroke(d`M${x},-21A15,14 0 0 1 ${x + 15},-7V0`, mix(palette.wall, palette.ink, 0.3), 0.4, {
        opacity: 0.6,
      }),
    ),
    path(
      `${hoop}Z`,
      gradients.down(mix(palette.wall, palette.leaf[0], 0.25), mix(palette.wall, palette.leaf[1], 0.6)),
    ),
    ...spread(5, -11, 11).map((x) =>
      path(
        d`M${x},0C${x - 3},-3 ${x - 2.4},-7 ${x},-8.4C${x + 2.4},-7 ${x + 3},-3 ${x},0Z`,
        palette.leaf[Math.abs(x) > 6 ? 1 : 0],
        { opacity: 0.65 },
      ),
    ),
    rect(-4.4, -12, 8.8, 12, mix(palette.wall, palette.leaf[1], 0.3), { opacity: 0.9 }),
    stroke('M-4.4,0V-12H4.4V0M0,0V-12', palette.wall, 0.8),
    stroke(hoop, palette.wall, 1.2),
  ].join('')
}

const can = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette, gradients } = stage
  const metal = gradients.across(palette.bright, mix(palette.bright, palette.roof, 0.6))
  return place(
    x,
    y,
    size,
    shadow(stage, 0, 0, 5, 0.9),
    stroke('M-1.6,-5Q0,-8.4 2.6,-4.6Q4.6,-2.6 2.6,-0.8', mix(palette.bright, palette.roof, 0.7), 0.6),
    path('M-2.6,-5H2.4L2.8,0H-3Z', metal),
    path('M-2.7,-1.6L-6.4,-5.6L-5.6,-6.4L-2.6,-3.4Z', metal),
    ellipse(-6.1, -6.1, 0.6, 1.2, palette.roof, { transform: 'rotate(-45 -6.1 -6.1)' }),
  )
}

/** A tree nursery: rows of seedlings, a polytunnel and the people who tend them. */
export const nursery = (stage: Stage): string => {
  const { width, height, ground, unit, palette, random } = stage
  const [far, middle, near] = palette.hills
  const top = (ground - unit * 14) / height
  return [
    heavens(stage, random.between(0.7, 0.8), 0.2),
    peaks(stage, top - 0.02, 24, far),
    ridge(stage, top - 0.12, 6, far),
    ridge(stage, top - 0.06, 4, middle),
    ridge(stage, top - 0.02, 2, near),
    grove(stage, 14, () => [
      random.next() * width,
      ground - unit * random.between(13.4, 15),
      unit * random.between(0.5, 1),
    ]),
    rows(stage),
    subject(
      stage,
      place(-12, -12.6, 1, tunnel(stage)),
      figure(stage, 31, -2, 1.45, somebody(stage), [-2.4, -4.6, 1.9, -4]),
      can(stage, 26, -1, 0.8),
      figure(stage, -31, 3, 1.8, somebody(stage), [-1.8, -4, 2.4, -4.8]),
      seedling(stage, -26.4, -4.6, 1.3),
      circle(-26.5, -5, 1, mix(palette.roof, palette.ink, 0.4)),
    ),
  ].join('')
}
