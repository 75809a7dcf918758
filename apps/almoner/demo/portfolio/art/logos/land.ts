import { circle, d, ellipse, path, place, rect, stroke, turn } from '../../../scene/svg.ts'
import { around, disc, hexagon, type Logo, tile } from './badge.ts'

const CREAM = '#fff6e4'

/** École des Hautes Rizières: the school on top of its steps of green. */
const rizieres: Logo = () =>
  [
    tile('#1f6f5c'),
    path('M-22,-6V-17L0,-33L22,-17V-6Z', CREAM),
    path('M-27,-15L0,-35L27,-15L22,-11L0,-28L-22,-11Z', '#e2694b'),
    rect(-5, -17, 10, 11, '#1f6f5c'),
    stroke('M-34,6Q-17,-5 0,2T34,-2', '#cfe27b', 7),
    stroke('M-36,20Q-18,9 0,16T36,12', '#93c45c', 7),
    stroke('M-34,34Q-17,23 0,30T34,26', '#5da353', 7),
  ].join('')

/** Ombrel Valley Terraces: a mountain that is all steps, the sun at its shoulder. */
const ombrel: Logo = () =>
  [
    hexagon('#f3e3bd'),
    circle(17, -17, 11, '#ee9a3a'),
    ...[
      [-31, 11, '#3d4f2a'],
      [-21, 15, '#56702f'],
      [-11, 20, '#789345'],
      [-1, 25, '#9aae5c'],
      [9, 30, '#b9c47a'],
    ].map(([y, half, colour]) => {
      const [top, wide] = [Number(y) + 4, Number(half)]
      return rect(-wide - 4, top, wide * 2, 8, String(colour), { rx: 2.5 })
    }),
    rect(-35, 23, 70, 8, '#8a6a42', { rx: 2.5 }),
  ].join('')

/** Água do Sertão Novo: the cactus of the dry country, and the drop it waits for. */
const sertao: Logo = () =>
  [
    tile('#f0a63c'),
    circle(0, -2, 33, '#f8c969'),
    stroke('M-4,33V-25', '#2d7a4f', 13),
    stroke('M-24,-8V4Q-24,12 -12,12H-5', '#2d7a4f', 10),
    stroke('M16,-20V-6Q16,2 6,2H-3', '#2d7a4f', 10),
    stroke('M-4,30V-23M-24,-6V3', '#74b06a', 2),
    path('M24,2C29,10 33,14 33,20A9,9 0 0 1 15,20C15,14 19,10 24,2Z', '#2b86b8'),
    stroke('M-36,35H36', '#b5562c', 5),
  ].join('')

/** Cœur de Mil: grains of millet laid out as a heart. */
const mil: Logo = () => {
  const grain = (x: number, y: number, angle: number, colour: string): string =>
    place(x, y, 1, turn(angle, ellipse(0, 0, 4.6, 7.2, colour)))
  const half = [
    [4, -17, 24],
    [13, -26, 52],
    [25, -25, 108],
    [32, -14, 160],
    [31, -1, 196],
    [24, 10, 216],
    [15, 20, 222],
    [6, 30, 228],
  ]
  const side = (sign: number): string =>
    half
      .map(([x = 0, y = 0, angle = 0], at) =>
        grain(sign * x, y, sign * angle, at % 2 === 0 ? '#f4c95d' : '#e8973a'),
      )
      .join('')
  return [
    disc('#7a2f2a'),
    side(1) + side(-1),
    stroke('M0,23V-2', '#f4c95d', 2.4),
    ...[0, 7, 14].map((y) =>
      path(
        d`M0,${y + 4}Q-9,${y + 2} -9,${y - 6}Q-1,${y - 4} 0,${y + 4}Q1,${y - 4} 9,${y - 6}Q9,${y + 2} 0,${y + 4}Z`,
        '#f8dd94',
      ),
    ),
  ].join('')
}

/** Çiçek Arıcılık: a flower in a cell of the comb. */
const cicek: Logo = () =>
  [
    hexagon('#f2b632'),
    hexagon('#fbe3a0', 34),
    around(6, () => ellipse(0, -15, 7, 10, '#e0557a')),
    around(6, () => ellipse(0, -13, 3, 6, '#f4a3b7')),
    circle(0, 0, 8.5, '#7a4a12'),
    circle(0, 0, 4, '#f2b632'),
  ].join('')

/** Lakou Vèt: a house in the middle of its ring of leaves. */
const lakou: Logo = () =>
  [
    around(8, (at) =>
      path('M0,-17C-12,-26 -10,-42 0,-49C10,-42 12,-26 0,-17Z', at % 2 === 0 ? '#2e8b57' : '#7cc36a'),
    ),
    circle(0, 0, 19, '#fff1d0'),
    path('M-14,-1L0,-13L14,-1Z', '#d8483f'),
    rect(-10, -1.5, 20, 12, '#2f6f9f'),
    rect(-3, 3, 6, 7.5, '#fff1d0'),
  ].join('')

/** Lac Vivant Anozé: a fish that comes back, and the rings it leaves. */
const lac: Logo = () =>
  [
    disc('#0f5b78'),
    stroke('M-31,24Q-20,17 -10,24T11,24T31,24', '#58b3c4', 4),
    stroke('M-20,35Q-13,30 -7,35T7,35T20,35', '#58b3c4', 3.4),
    path('M-34,-4C-22,-27 8,-27 19,-5L34,-18Q30,-4 34,10L19,-3C8,19 -22,19 -34,-4Z', '#ffd07a'),
    path('M-34,-4C-24,13 4,17 19,-3Q-6,4 -34,-4Z', '#f08a4b'),
    circle(-19, -8, 3.4, '#0f5b78'),
    stroke('M-5,-17Q1,-5 -5,8M5,-14Q10,-5 6,3', '#0f5b78', 2.2, { opacity: 0.55 }),
  ].join('')

/** The logos of those who work on the land, by the id of the organization. */
export const landLogos: Readonly<Record<string, Logo>> = {
  'agua-do-sertao': sertao,
  'cicek-aricilik': cicek,
  'coeur-de-mil': mil,
  'hautes-rizieres': rizieres,
  'lac-vivant': lac,
  'lakou-vet': lakou,
  'ombrel-terraces': ombrel,
}
