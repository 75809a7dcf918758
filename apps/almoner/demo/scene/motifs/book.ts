import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import { mound, ridge, shadow, tufts } from '../land.ts'
import { heavens } from '../sky.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, ellipse, facing, path, place, stroke, turn } from '../svg.ts'

/** The right half; the left is its mirror image. */
const half = (stage: Stage, side: -1 | 1): string => {
  const { palette, gradients } = stage
  const shade = mix(palette.wall, palette.hills[2], side > 0 ? 0.34 : 0.22)
  const leaf = (lift: number, fill: string): string =>
    path(
      d`M0,${4 - lift * 0.3}C6,${-4 - lift} 22,${-5 - lift} 38,${-1 - lift}L44,${12 - lift}C28,${8 - lift} 8,${9 - lift} 0,${16 - lift * 0.3}Z`,
      fill,
    )
  return facing(
    side,
    path(
      'M0,8C8,1 24,0 41,3.6L47.4,16.6C30,12.4 9,13.6 0,20.4Z',
      gradients.across(mix(palette.roof, palette.ink, 0.25), palette.roof),
    ),
    leaf(0, mix(palette.wall, palette.ink, 0.24)),
    leaf(1, mix(palette.wall, palette.ink, 0.1)),
    leaf(1.8, mix(palette.wall, palette.ink, 0.2)),
    leaf(2.8, gradients.across(shade, palette.wall, mix(palette.wall, '#ffffff', 0.4), palette.wall)),
    ...upTo(5).map((row) => {
      const [y, in_] = [0.2 + row * 2.05, row * 0.9]
      return stroke(
        d`M${7 + in_ * 0.2},${y - 2.6 + row * 0.28}C14,${y - 5} ${22 + in_},${y - 5.2} ${(row === 4 ? 26 : 34.5) + in_},${y - (row === 4 ? 4.5 : 3.6)}`,
        mix(palette.hills[1], palette.wall, 0.35),
        0.7,
        { opacity: 0.75 },
      )
    }),
  )
}

/** A tree of knowledge: three limbs from the gutter, and leaves in clouds around their ends. */
const knowledge = (stage: Stage): string => {
  const { palette, random, gradients } = stage
  const trunk = mix(palette.roof, palette.ink, 0.55)
  const tones = [
    palette.leaf[0],
    palette.leaf[1],
    mix(palette.leaf[0], palette.bright, 0.4),
    palette.bright,
    mix(palette.leaf[0], palette.wall, 0.35),
  ] as const
  const leafAt = (x: number, y: number, size: number): string =>
    place(
      x,
      y,
      size,
      turn(random.between(0, 360), path('M0,0C1.2,-1.6 3,-1.8 4.4,0C3,1.8 1.2,1.6 0,0Z', random.pick(tones))),
    )
  const crowd = (cx: number, cy: number, r: number): string =>
    circle(cx, cy, r, gradients.across(palette.leaf[0], palette.leaf[1]), { opacity: 0.96 }) +
    upTo(Math.round(r * 3.4))
      .map(() => {
        const [angle, away] = [random.between(0, 6.28), r * Math.sqrt(random.next()) * 1.12]
        return leafAt(cx + Math.cos(angle) * away, cy + Math.sin(angle) * away, random.between(0.5, 0.85))
      })
      .join('')
  return [
    path('M-3.4,6C-1.6,-2 -1.6,-10 -1.4,-20L1.4,-20C1.6,-10 1.6,-2 3.4,6Q0,2 -3.4,6Z', trunk),
    stroke('M0,-10Q-5,-17 -11,-20M0,-12Q6,-18 12,-22M0,-16Q-1,-24 0,-31', trunk, 1.7),
    crowd(-13, -23, 8.6),
    crowd(13.4, -25, 8.2),
    crowd(0, -33, 10.4),
    crowd(0.5, -23, 6.4),
    ...upTo(9).map(() => leafAt(random.between(-34, 34), random.between(-44, -9), random.between(0.4, 0.7))),
  ].join('')
}

/** An open book in the grass, out of which a tree grows. */
export const book = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    heavens(stage, 0.5, 0.3),
    ridge(stage, 0.54, 6, palette.hills[0]),
    ridge(stage, 0.63, 5, palette.hills[1]),
    ridge(stage, 0.7, 4, palette.hills[2]),
    mound(stage, 5, palette.hills[3]),
    tufts(stage, 40, 4),
    subject(
      stage,
      place(
        0,
        -4,
        0.93,
        shadow(stage, 0, 15, 62, 10),
        ellipse(0, -22, 42, 34, gradients.glow(palette.sun, 0.45)),
        half(stage, -1),
        half(stage, 1),
        knowledge(stage),
      ),
    ),
  ].join('')
}
