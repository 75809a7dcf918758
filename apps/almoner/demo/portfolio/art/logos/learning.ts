import { circle, element, ellipse, path, place, rect, stroke, turn } from '../../../scene/svg.ts'
import { around, disc, hexagon, type Logo, tile } from './badge.ts'

/** Kiln & Thread: a bottle kiln, and a thread that runs through it. */
const kilnAndThread: Logo = () =>
  [
    path('M-9,-46H9L11,-24C30,-12 35,16 30,44H-30C-35,16 -30,-12 -11,-24Z', '#a4452c'),
    path('M0,-46H9L11,-24C30,-12 35,16 30,44H0Z', '#86351f'),
    path('M-11,44V28A11,12 0 0 1 11,28V44Z', '#2c1a17'),
    path('M-7,44Q-8,34 0,26Q8,34 7,44Z', '#f3a33c'),
    stroke('M-42,6C-24,-10 -12,22 2,4S26,-14 43,-2', '#f6e7cb', 4),
    stroke('M38,-5L48,3', '#4d6a78', 3.4),
    rect(-12, -48, 24, 6, '#5f2416', { rx: 2 }),
  ].join('')

/** Kër Xale Yi: a house that children have built of three blocks. */
const kerXaleYi: Logo = () =>
  [
    tile('#ffe9b8'),
    path('M-30,-4L0,-38L30,-4Z', '#d8433b'),
    rect(-26, 0, 24, 36, '#2b8a78', { rx: 3 }),
    rect(2, 0, 24, 36, '#f0a02c', { rx: 3 }),
    circle(14, 14, 7, '#ffe9b8'),
    path('M-20,36V20A6,6 0 0 1 -8,20V36Z', '#ffe9b8'),
    circle(0, -16, 6, '#ffe9b8'),
  ].join('')

/** 100% Lisible: the sign from the name, as open as a pair of spectacles. */
const lisible: Logo = () =>
  [
    disc('#ffd23f'),
    element('circle', { cx: -19, cy: -15, r: 12, fill: '#ffffff', stroke: '#21304a', 'stroke-width': 6 }),
    element('circle', { cx: 19, cy: 15, r: 12, fill: '#ffffff', stroke: '#21304a', 'stroke-width': 6 }),
    stroke('M21,-30L-21,30', '#21304a', 7),
    stroke('M18,-12H37M24,-22H33M-37,12H-18M-33,22H-24', '#e4572e', 4.4),
  ].join('')

/** Dar Nsij: four threads over and under. */
const nsij: Logo = () => {
  const [warp, weft] = ['#1f3a6e', '#e0a030']
  const lanes = [-23.4, -7.8, 7.8, 23.4]
  const over = lanes.flatMap((x, column) =>
    lanes.filter((_, row) => (row + column) % 2 === 0).map((y) => rect(x - 6, y - 7.8, 12, 15.6, warp)),
  )
  return turn(
    45,
    rect(-33, -33, 66, 66, '#b8402f', { rx: 6 }),
    ...lanes.map((x) => rect(x - 6, -33, 12, 66, warp, { rx: 3 })),
    ...lanes.map((y) => rect(-33, y - 6, 66, 12, weft, { rx: 3 })),
    ...over,
    circle(0, 0, 3.4, '#fdf1d6'),
  )
}

/** Școala din Deal: a hill, and a pencil for its church tower. */
const scoala: Logo = () =>
  [
    disc('#9ed8e6'),
    path('M-9,24V-20L0,-40L9,-20V24Z', '#f2b632'),
    path('M-3,24V-21H3V24Z', '#d99518'),
    path('M-9,-20L0,-40L9,-20Q4.5,-16 3,-20Q0,-16 -3,-20Q-4.5,-16 -9,-20Z', '#f6dfb8'),
    path('M-3.4,-32.5L0,-40L3.4,-32.5Z', '#2d3142'),
    path('M-46,14Q-20,-6 2,10Q24,24 45,16A48,48 0 0 1 -46,14Z', '#4c9f50'),
    path('M-44,20Q-10,14 8,24Q26,32 39,28A48,48 0 0 1 -44,20Z', '#2f7d3f'),
    circle(27, -22, 8, '#ffffff') + ellipse(18, -19, 9, 5.4, '#ffffff'),
  ].join('')

/** Chœur des Deux Rives: two banks that sing across to each other. */
const choeur: Logo = () => {
  const singer = place(
    -30,
    0,
    1,
    path('M-17,-36A37,37 0 0 1 -17,36Z', '#c8385a'),
    path('M11.6,-15L4,2L12.6,16.2Q19,8 20,0Q19.6,-8 11.6,-15Z', '#f7ead9'),
    circle(2, -14, 3, '#f7ead9'),
  )
  return [
    tile('#f7ead9'),
    singer,
    element('g', { transform: 'scale(-1 1)' }, singer.replaceAll('#c8385a', '#2c5f8a')),
    stroke('M0,-26V18', '#33304a', 4) +
      ellipse(-5, 19, 6.4, 5, '#33304a') +
      stroke('M0,-26Q10,-22 8,-12', '#33304a', 4),
  ].join('')
}

/** The Lantern Bus: the bus from the front, lit from inside. */
const lantern: Logo = () =>
  [
    disc('#1b2a49'),
    circle(0, -4, 36, '#32466f'),
    rect(-25, -31, 50, 58, '#e85d3d', { rx: 11 }),
    rect(-19, -20, 38, 25, '#ffd977', { rx: 4 }),
    rect(-12, -28, 24, 5, '#ffd977', { rx: 2.5 }),
    path('M0,-17C5,-11 8,-8 8,-3A8,8 0 0 1 -8,-3C-8,-8 -5,-11 0,-17Z', '#f28a30'),
    circle(-16, 15, 4.6, '#fff4d0') + circle(16, 15, 4.6, '#fff4d0'),
    rect(-8, 13, 16, 4, '#a83a24', { rx: 2 }),
    rect(-21, 26, 10, 9, '#0d1730', { rx: 3 }) + rect(11, 26, 10, 9, '#0d1730', { rx: 3 }),
  ].join('')

/** Mãos de Barro: two hands about a bowl. */
const maos: Logo = () =>
  [
    path(
      'M-47,-2C-47,26 -27,46 0,46C27,46 47,26 47,-2Q42,-10 36,-2C36,18 22,33 0,33C-22,33 -36,18 -36,-2Q-42,-10 -47,-2Z',
      '#c98a5e',
    ),
    path('M-29,-10H29C29,12 18,27 0,27C-18,27 -29,12 -29,-10Z', '#b24a2b'),
    path('M0,-10H29C29,12 18,27 0,27Z', '#963a1f'),
    ellipse(0, -10, 29, 6, '#7a2c17'),
    stroke('M-25,4Q-12,11 0,4T25,4', '#f6dcbc', 3.6),
    stroke('M-11,-22Q-15,-29 -10,-34T-11,-46M5,-22Q1,-28 6,-33T5,-43', '#d9b392', 3.6),
  ].join('')

/** Żywa Scena: a face that is half mask. */
const zywa: Logo = () =>
  [
    hexagon('#2b1e3f'),
    path('M-26,-26Q0,-17 26,-26V0Q26,25 0,34Q-26,25 -26,0Z', '#f5efe2'),
    path('M0,-21.6Q14,-22 26,-26V0Q26,25 0,34Z', '#e2483d'),
    path('M-19,-6Q-12,-13 -6,-6Q-12,-3 -19,-6Z', '#2b1e3f'),
    path('M19,-6Q12,-13 6,-6Q12,-3 19,-6Z', '#f5efe2'),
    path('M-13,11Q-6,15 0,15V24Q-9,22 -13,11Z', '#2b1e3f'),
    path('M13,19Q6,14 0,15V24Q8,24 13,19Z', '#f5efe2'),
  ].join('')

/** Işık Köprüsü: light under the arch of a bridge. */
const kopru: Logo = () =>
  [
    tile('#24365c'),
    circle(0, 14, 12, '#ffc145'),
    stroke('M0,-3V-9M-12,2L-16,-3M12,2L16,-3M-17,11L-23,9M17,11L23,9', '#ffc145', 3.6),
    stroke('M-36,14A36,36 0 0 1 36,14', '#f2efe4', 7),
    stroke('M-36,14V-24M36,14V-24M-41,-26H-31M41,-26H31', '#f2efe4', 5),
    path('M-47,16H47V27A20,20 0 0 1 27,47H-27A20,20 0 0 1 -47,27Z', '#2f86b5'),
    stroke('M-30,26H-14M-4,26H10M19,26H30M-20,36H4M12,36H20', '#ffc145', 3),
  ].join('')

/** Sarangi Hilltop Science: the dome, open to one bright star. */
const sarangi: Logo = () =>
  [
    disc('#101d42'),
    path('M-40,26Q-10,12 0,12T40,26A48,48 0 0 1 -40,26Z', '#2f5d62'),
    path('M-24,6A24,24 0 0 1 24,6Z', '#e8e4d8'),
    path('M-2,6L4,-17.7A24,24 0 0 1 15,-12.7L7,6Z', '#101d42'),
    stroke('M3,3L15,-20', '#9fb3c8', 7, { 'stroke-linecap': 'butt' }),
    rect(-26, 5, 52, 15, '#c8553d', { rx: 2 }),
    path('M-5,20V13A5,5 0 0 1 5,13V20Z', '#ffd98a'),
    place(
      24,
      -32,
      1,
      around(4, () => path('M-2.2,0L0,-10L2.2,0Z', '#ffd98a')),
      circle(0, 0, 2.6, '#ffd98a'),
    ),
    circle(-24, -24, 2.2, '#f4f1de') + circle(-6, -34, 1.6, '#f4f1de') + circle(-36, -8, 1.6, '#f4f1de'),
  ].join('')

/** The logos of those who teach, make and play, by the id of the organization. */
export const learningLogos: Readonly<Record<string, Logo>> = {
  '100-lisible': lisible,
  'choeur-deux-rives': choeur,
  'dar-nsij': nsij,
  'isik-koprusu': kopru,
  'ker-xale-yi': kerXaleYi,
  'kiln-and-thread': kilnAndThread,
  'lantern-bus': lantern,
  'maos-de-barro': maos,
  'sarangi-science': sarangi,
  'scoala-din-deal': scoala,
  'zywa-scena': zywa,
}
