import { mix } from './colour.ts'
import { type Point, smooth, spread, upTo } from './curve.ts'
import type { Stage } from './stage.ts'
import { d, ellipse, path, place, stroke } from './svg.ts'

/** Closes a line from edge to edge into an area that reaches the bottom of the frame. */
export const below = (line: string, { width, height }: Stage): string =>
  line + d`L${width * 1.1},${height}L${-width * 0.1},${height}Z`

/** A rolling range of hills; lighter along its crest, as if mist lay in the valley behind. */
export const ridge = (stage: Stage, y: number, swing: number, colour: string): string => {
  const { width, height, unit, random, palette, gradients } = stage
  const [phase, other] = [random.between(0, 6.28), random.between(0, 6.28)]
  const wave = random.between(70, 105) * unit
  const points = spread(15, -width * 0.04, width * 1.04).map(
    (x): Point => [
      x,
      y * height +
        swing *
          unit *
          (Math.sin((x / wave) * 6.28 + phase) * 0.65 + Math.sin((x / wave) * 11 + other) * 0.35),
    ],
  )
  return path(
    below(smooth(points), stage),
    gradients.down(mix(colour, palette.sky[1], 0.16), mix(colour, palette.ink, 0.1)),
  )
}

/** Faceted peaks with a lit and a shaded flank. */
export const peaks = (stage: Stage, y: number, tall: number, colour: string): string => {
  const { width, height, unit, random, palette, gradients } = stage
  const count = Math.max(3, Math.round(width / (unit * 34)))
  const [foot, step] = [height * y, width / count]
  return upTo(count + 1)
    .map((index) => {
      const [x, top] = [(index + random.between(-0.22, 0.22)) * step, tall * unit * random.between(0.55, 1)]
      const half = step * random.between(0.72, 0.95)
      const [bend, peak] = [random.between(-0.08, 0.08) * half, foot - top]
      return [
        path(
          d`M${x - half},${foot}L${x},${peak}L${x + half},${foot}Z`,
          gradients.down(mix(colour, palette.wall, 0.22), mix(colour, palette.sky[1], 0.35)),
        ),
        path(
          d`M${x},${peak}L${x + half},${foot}L${x + half * 0.25},${foot}L${x + bend},${peak + top * 0.62}L${x + half * 0.12},${peak + top * 0.34}Z`,
          gradients.down(mix(colour, palette.ink, 0.16), mix(colour, palette.sky[1], 0.3)),
          { opacity: 0.75 },
        ),
      ].join('')
    })
    .join('')
}

/** The near ground: a broad mound whose top lies under the subject. */
export const mound = (stage: Stage, rise: number, colour: string): string => {
  const { width, unit, centre, ground, palette, gradients } = stage
  const points = spread(11, -width * 0.05, width * 1.05).map((x): Point => {
    const away = (x - centre) / (unit * 60)
    return [x, ground - unit * 0.6 + rise * unit * (1 - 1 / (1 + away * away * 0.9))]
  })
  return path(
    below(smooth(points), stage),
    gradients.down(mix(colour, palette.bright, 0.12), mix(colour, palette.ink, 0.3)),
  )
}

/** A winding way from the subject's foot to the near edge of the frame. */
export const road = (stage: Stage, x: number, narrow: number, broad: number): string => {
  const { height, unit, centre, ground, palette, random, gradients } = stage
  const [top, drop] = [ground, height * 1.02 - ground]
  const shade = palette.dark ? 0.45 : 0.08
  const start = centre + x * unit
  const end = start + random.side() * random.between(14, 26) * unit
  const bend = start + (start - end) * 0.7
  return path(
    d`M${start - narrow * unit},${top}C${bend - narrow * unit},${top + drop * 0.45} ${end - broad * unit},${
      top + drop * 0.4
    } ${end - broad * unit},${top + drop}H${end + broad * unit}C${end + broad * 0.7 * unit},${
      top + drop * 0.4
    } ${bend + narrow * unit * 2.4},${top + drop * 0.5} ${start + narrow * unit},${top}Z`,
    gradients.down(
      mix(palette.wall, palette.hills[2], shade + 0.25),
      mix(palette.wall, palette.hills[2], shade),
    ),
  )
}

/** A soft shadow on the ground, in the units of whatever casts it. */
export const shadow = ({ palette, gradients }: Stage, x: number, y: number, rx: number, ry: number): string =>
  ellipse(x, y, rx, ry, gradients.glow(palette.ink, 0.55))

/** Tufts of grass scattered over the near ground, from `verge` units before the subject. */
export const tufts = (stage: Stage, count: number, verge: number): string => {
  const { width, height, ground, unit, palette, random } = stage
  const top = ground + unit * verge
  return upTo(count)
    .map(() => {
      const depth = random.next()
      return place(
        random.next() * width,
        top + (height - top) * depth,
        unit * (0.5 + depth * 0.8),
        stroke(
          'M-1,0Q-1.2,-1.6 -2,-2.2M0,0Q0,-2 0.2,-3M1,0Q1.2,-1.5 2,-2',
          random.pick([palette.leaf[0], palette.leaf[1], mix(palette.hills[3], palette.bright, 0.3)]),
          0.5,
          { opacity: 0.8 },
        ),
      )
    })
    .join('')
}
