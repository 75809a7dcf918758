import { upTo } from './curve.ts'
import type { Stage } from './stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from './svg.ts'

export const sky = ({ width, height, palette, gradients }: Stage): string =>
  rect(0, 0, width, height, gradients.down(palette.sky[0], palette.sky[1], palette.sky[1]))

/** The sun, or the moon after dark, with rings of light that fade outwards. Position in shares of the frame. */
const sun = (stage: Stage, x: number, y: number, radius: number): string => {
  const { width, height, unit, palette, gradients } = stage
  const [cx, cy, r] = [width * x, height * y, radius * unit]
  const ring = (times: number, opacity: number): string => circle(cx, cy, r * times, palette.sun, { opacity })
  return [
    circle(cx, cy, r * 5.5, gradients.glow(palette.sun, palette.dark ? 0.4 : 0.75)),
    palette.dark ? '' : ring(2.5, 0.13) + ring(1.7, 0.2),
    circle(cx, cy, r, palette.sun),
  ].join('')
}

export const stars = ({ width, height, unit, palette, random }: Stage, count: number): string =>
  upTo(count)
    .map(() => {
      const y = random.next() ** 1.5
      const size = unit * (random.next() < 0.12 ? random.between(0.32, 0.5) : random.between(0.1, 0.24))
      return circle(random.next() * width, y * height * 0.62, size, palette.sun, {
        opacity: random.between(0.45, 1) * (1 - y * 0.7),
      })
    })
    .join('')

const cloudShape = d`M-11,0a3,3 0 0 1 0.4,-6a6,6 0 0 1 10.6,-3.2a4.6,4.6 0 0 1 7,3.4a2.95,2.95 0 0 1 2.6,5.8z`

const clouds = (stage: Stage, count: number): string => {
  const { width, height, unit, palette, random, gradients } = stage
  const fill = palette.dark
    ? gradients.glow(palette.sky[1], 0.5)
    : gradients.down(palette.wall, palette.sky[1])
  return upTo(count)
    .map((index) => {
      const x = ((index + random.between(0.15, 0.85)) / count) * width
      const scale = unit * random.between(0.55, 1.15)
      return place(
        x,
        height * random.between(0.09, 0.34),
        scale,
        palette.dark ? ellipse(0, -3, 22, 3, fill) : path(cloudShape, fill, { opacity: 0.82 }),
      )
    })
    .join('')
}

const birds = ({ width, height, unit, palette, random }: Stage, count: number): string => {
  const [x, y, side] = [width * random.between(0.25, 0.7), height * random.between(0.12, 0.24), random.side()]
  return upTo(count)
    .map((index) =>
      place(
        x + (index - count / 2) * unit * random.between(4.4, 5.6),
        y + side * index * unit * random.between(0.4, 1.6),
        unit * random.between(0.5, 0.85),
        stroke('M-2.4,-0.9Q-1,-1.4 0,0.3Q1,-1.4 2.4,-0.9', palette.ink, 0.45, { opacity: 0.6 }),
      ),
    )
    .join('')
}

/** The whole sky: stars, bands of cloud and the moon after dark, else the sun, clouds and birds. */
export const heavens = (stage: Stage, sunX: number, sunY: number, radius = 6.5): string =>
  stage.palette.dark
    ? [sky(stage), stars(stage, 100), clouds(stage, 3), sun(stage, sunX, sunY, radius * 0.65)].join('')
    : [sky(stage), sun(stage, sunX, sunY, radius), clouds(stage, 3), birds(stage, 5)].join('')
