import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import { shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { spines } from '../props/books.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, path, rect, stroke } from '../svg.ts'

const road = ({ width, ground, unit, palette, gradients }: Stage): string => {
  const earth = mix(palette.wall, palette.hills[2], palette.dark ? 0.7 : 0.42)
  const [top, tall] = [ground - unit * 1.5, unit * 9]
  return [
    rect(0, top, width, tall, gradients.down(earth, mix(earth, palette.ink, 0.2))),
    rect(0, top, width, unit * 0.5, palette.wall, { opacity: 0.4 }),
    ...upTo(Math.ceil(width / (unit * 12))).map((index) =>
      rect((index + 0.2) * unit * 12, top + unit * 6.4, unit * 6, unit * 0.55, palette.wall, {
        opacity: 0.6,
      }),
    ),
  ].join('')
}

const wheel = ({ palette }: Stage, x: number): string =>
  circle(x, -0.4, 5, palette.ink) +
  circle(x, -0.4, 2.7, mix(palette.wall, palette.ink, 0.25)) +
  circle(x, -0.4, 1, palette.roof)

const body = (stage: Stage): string => {
  const { palette, gradients } = stage
  const glass = palette.dark ? palette.bright : mix(palette.water[0], palette.water[1], 0.35)
  const shade = mix(palette.roof, palette.ink, 0.28)
  return [
    path(
      'M-34,-3V-27Q-34,-31 -30,-31H24Q30,-31 32.4,-25L36,-15Q37,-13.6 37,-11V-3Z',
      gradients.down(mix(palette.roof, palette.bright, 0.22), palette.roof, shade),
    ),
    rect(-34, -12.4, 71, 2.4, palette.wall, { opacity: 0.92 }),
    rect(-34, -9.2, 71, 1, palette.bright),
    path(
      'M22,-27.4H25.6Q28.4,-27.4 29.6,-24.6L33,-16H22Z',
      gradients.down(mix(glass, '#ffffff', 0.45), glass),
    ),
    rect(14, -27.4, 6.4, 23.6, mix(palette.roof, palette.ink, 0.16), { rx: 0.8 }),
    rect(15, -26.2, 4.4, 11, glass, { rx: 0.5 }),
    circle(35.4, -9.4, 1.3, mix(palette.bright, '#ffffff', 0.5)),
    rect(33.4, -5.2, 5, 2.4, mix(palette.ink, palette.wall, 0.3), { rx: 0.8 }),
    rect(-35.4, -5.2, 4, 2.4, mix(palette.ink, palette.wall, 0.3), { rx: 0.8 }),
  ].join('')
}

/** The open flank: shelves in warm light under a striped awning. */
const shop = (stage: Stage): string => {
  const { palette, gradients } = stage
  const stripe = (index: number): string =>
    path(
      d`M${-31 + index * 6},-27.4h6L${-25.7 + index * 6.3},-20.6h-6.3Z`,
      index % 2 === 0 ? palette.bright : palette.wall,
    )
  return [
    rect(
      -30,
      -26.6,
      41,
      18,
      gradients.down(mix(palette.bright, palette.wall, 0.65), mix(palette.bright, palette.wall, 0.3)),
    ),
    ...[-15.4, -9.4].map(
      (y) => spines(stage, -29.4, y, 40, 5.2) + rect(-30, y, 41, 0.8, mix(palette.roof, palette.ink, 0.45)),
    ),
    path('M-30,-20.4L11,-20.4L11,-17.6L-30,-16.4Z', palette.ink, { opacity: 0.15 }),
    ...upTo(7).map(stripe),
    ...upTo(7).map((index) =>
      path(
        d`M${-32 + index * 6.3},-20.7h6.3v0.7a3.15,2 0 0 1 -6.3,0Z`,
        mix(index % 2 === 0 ? palette.bright : palette.wall, palette.ink, 0.08),
      ),
    ),
  ].join('')
}

/** What travels on the roof: a crate of books, a rolled mat and a solar panel. */
const rack = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    stroke('M-30,-32.6H20M-28,-31V-34.4M18,-31V-34.4M-5,-31V-34.4M-30,-34.4H20', palette.ink, 0.5),
    rect(-26, -39.6, 13, 7, mix(palette.wall, palette.roof, 0.4), { rx: 0.6 }) +
      stroke('M-26,-36.2H-13', mix(palette.roof, palette.ink, 0.4), 0.4),
    spines(stage, -25, -39.4, 11, 4),
    rect(-10.6, -36.4, 12, 3.8, palette.leaf[0], { rx: 1.9 }) +
      stroke('M-8,-36.4v3.8M-1.2,-36.4v3.8', palette.wall, 0.5),
    path(
      'M4,-32.8L7,-38.6L19,-38.6L16,-32.8Z',
      gradients.across(mix(palette.water[1], palette.ink, 0.25), palette.water[1]),
    ),
    stroke('M8,-32.8L11,-38.6M12,-32.8L15,-38.6M5.5,-35.7H17.5', palette.wall, 0.3, { opacity: 0.8 }),
  ].join('')
}

/** The library bus has come: its side is open, and readers choose. */
export const bus = (stage: Stage): string =>
  [
    country(stage, 2, 11),
    flanks(stage, 46, 7),
    road(stage),
    subject(
      stage,
      shadow(stage, 2, 3.6, 50, 4.4),
      body(stage),
      rack(stage),
      shop(stage),
      wheel(stage, -22) + wheel(stage, 25),
      figure(stage, -30, 8, 1.55, somebody(stage), [-1.8, -4, 2.4, -6.4]),
      figure(stage, -12, 8.6, 1.25, somebody(stage), [-2.2, -6.6, 1.9, -4]),
      figure(stage, -5.6, 9.4, 0.95, somebody(stage)),
      figure(stage, 9.6, 8.2, 1.5, somebody(stage), [-2.2, -5.8, 1.8, -4]),
    ),
  ].join('')
