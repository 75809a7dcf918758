import { flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread, upTo } from '../../../scene/curve.ts'
import { peaks, ridge } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { heavens } from '../../../scene/sky.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, element, path, place, rect, stroke } from '../../../scene/svg.ts'
import { bush } from '../../../scene/trees.ts'

/** How high the deck lies over the middle line of the water at a place along it, in units. */
const deck = (x: number): number => -22 + (x / 60) ** 2 * 16

const arches = [-36, 0, 36] as const

const span = (stage: Stage): string => {
  const { palette, gradients } = stage
  const stone = mix(palette.wall, palette.hills[1], 0.35)
  const holes = arches
    .map((x) => {
      const [half, top] = [x === 0 ? 14 : 11.5, deck(x) + 5]
      return d`M${x - half},4V${top + half * 0.9}A${half},${half * 0.9} 0 0 1 ${x + half},${top + half * 0.9}V4Z`
    })
    .join('')
  const rings = arches.map((x) => {
    const [half, top] = [x === 0 ? 14 : 11.5, deck(x) + 5]
    return stroke(
      d`M${x - half},4V${top + half * 0.9}A${half},${half * 0.9} 0 0 1 ${x + half},${top + half * 0.9}V4`,
      mix(stone, palette.ink, 0.22),
      1.2,
    )
  })
  return [
    path(
      `M-64,4V${deck(-64)}${spread(33, -64, 64)
        .map((x) => d`L${x},${deck(x)}`)
        .join('')}V4Z${holes}`,
      gradients.down(mix(stone, palette.wall, 0.3), mix(stone, palette.ink, 0.2)),
      { 'fill-rule': 'evenodd' },
    ),
    ...rings,
  ].join('')
}

const rail = ({ palette }: Stage): string => {
  const line = (lift: number): string =>
    `M${spread(25, -66, 66)
      .map((x) => d`${x},${deck(x) - lift}`)
      .join('L')}`
  const posts = spread(23, -66, 66).map((x) => d`M${x},${deck(x)}v-5`)
  return (
    stroke(posts.join(''), mix(palette.ink, palette.roof, 0.3), 0.4) +
    stroke(line(5), mix(palette.ink, palette.roof, 0.3), 0.7) +
    stroke(line(0), mix(palette.wall, palette.ink, 0.25), 1.6)
  )
}

/** Somebody in a wheelchair, pushing the wheel. */
const wheeling = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette } = stage
  const { skin, hair, cloth } = somebody(stage)
  return place(
    x,
    y,
    size,
    stroke('M0.4,-4.4H3.4L4.2,-0.9H5.2', mix(palette.ink, palette.wall, 0.15), 1.1),
    stroke('M-2.2,-7V-3.4H2.4M-2.2,-7H-3.2', palette.ink, 0.4),
    path('M-1.6,-8Q0,-8.8 1.2,-7.8L1.4,-3.8H-1.6Z', cloth),
    circle(-0.1, -9.6, 1.15, skin),
    path('M-1.3,-9.5A1.2,1.25 0 0 1 1.1,-9.5Q0.8,-10.2 -0.1,-10.2Q-1,-10.2 -1.3,-9.5Z', hair),
    stroke('M0.2,-7.2Q1.8,-5.6 0.8,-4.6', mix(cloth, palette.ink, 0.2), 0.8),
    element('circle', { cx: -0.4, cy: -2.6, r: 2.5, fill: 'none', stroke: palette.ink, 'stroke-width': 0.5 }),
    stroke('M-0.4,-5V-0.2M-2.8,-2.6H2', palette.ink, 0.15),
    element('circle', { cx: 3.4, cy: -0.8, r: 0.7, fill: 'none', stroke: palette.ink, 'stroke-width': 0.4 }),
  )
}

const lantern = ({ palette, gradients }: Stage, x: number): string =>
  [
    stroke(d`M${x},${deck(x)}V${deck(x) - 15}`, palette.ink, 0.6),
    circle(x, deck(x) - 16.4, palette.dark ? 8 : 4, gradients.glow(palette.bright, 0.7)),
    circle(x, deck(x) - 16.4, 1.6, palette.bright),
  ].join('')

const water = (stage: Stage): string => {
  const { width, height, unit, palette, random, gradients, ground } = stage
  const top = ground - unit * 6
  const ripples = upTo(30).map(() => {
    const depth = random.next()
    const [x, y, half] = [
      random.next() * width,
      top + (height - top) * (0.06 + depth * 0.9),
      unit * (2 + depth * 6),
    ]
    return stroke(
      d`M${x - half},${y}Q${x},${y - unit * 0.4} ${x + half},${y}`,
      palette.water[0],
      unit * 0.3,
      {
        opacity: 0.5,
      },
    )
  })
  return (
    rect(
      0,
      top,
      width,
      height,
      gradients.down(palette.water[0], palette.water[1], mix(palette.water[1], palette.ink, 0.25)),
    ) + ripples.join('')
  )
}

/** The bridge’s dark image in the water: the piers between the arches, drawn out. */
const reflection = ({ palette, gradients }: Stage): string =>
  [-50.5, -18.5, 18.5, 50.5]
    .map((x) => {
      const half = Math.abs(x) > 30 ? 8 : 5
      const fill = gradients.down(mix(palette.water[1], palette.ink, 0.35), palette.water[1])
      return path(d`M${x - half},3H${x + half}L${x + half * 0.8},14H${x - half * 0.8}Z`, fill, {
        opacity: 0.5,
      })
    })
    .join('')

/** The green bank that one end of the bridge rests on. */
const bank = (stage: Stage, side: -1 | 1): string => {
  const { palette, gradients } = stage
  return [
    path(
      d`M${side * 110},-14Q${side * 84},-10 ${side * 66},-5Q${side * 50},1 ${side * 44},5Q${side * 66},9 ${side * 110},10Z`,
      gradients.down(mix(palette.hills[3], palette.bright, 0.14), mix(palette.hills[3], palette.ink, 0.3)),
    ),
    ...[68, 74, 62, 84].map((x, at) => bush(stage, side * x, -1 + at * 2.2, 0.9 + at * 0.15)),
  ].join('')
}

/** A footbridge over a river, with a gentle slope that everyone can take. */
export const bridge = (stage: Stage): string => {
  const { palette } = stage
  const [far, middle, near] = palette.hills
  const on = (x: number, size: number, dress: boolean): string =>
    figure(stage, x, deck(x), size, { ...somebody(stage), dress })
  return [
    heavens(stage, 0.5 + stage.random.side() * 0.25, 0.2),
    peaks(stage, 0.6, 20, far),
    ridge(stage, 0.54, 6, far),
    ridge(stage, 0.6, 5, middle),
    ridge(stage, 0.65, 3, near),
    flanks(stage, 62, 8),
    water(stage),
    subject(
      stage,
      reflection(stage),
      span(stage),
      ...[-48, 48].map((x) => lantern(stage, x)),
      on(-37, 1.5, true),
      on(-31.6, 0.95, false),
      wheeling(stage, -12, deck(-12), 1.6),
      on(-3, 1.55, false),
      on(20, 1.5, true),
      on(33, 1.5, false),
      rail(stage),
      bank(stage, -1) + bank(stage, 1),
    ),
  ].join('')
}
