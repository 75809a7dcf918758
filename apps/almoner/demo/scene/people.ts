import { mix } from './colour.ts'
import { shadow } from './land.ts'
import type { Stage } from './stage.ts'
import { circle, d, ellipse, path, place, stroke } from './svg.ts'

const skins = ['#8d5a3b', '#6b4129', '#a9714b', '#c68b62', '#57341f', '#e0ac84'] as const

export type Person = {
  readonly skin: string
  readonly cloth: string
  readonly hair: string
  readonly dress: boolean
}

/** Where the hands are, seen from the feet. */
export type Hands = readonly [leftX: number, leftY: number, rightX: number, rightY: number]

/** Somebody: who it is depends on the seed only. */
export const somebody = ({ palette, cast }: Stage): Person => ({
  skin: cast.pick(skins),
  cloth: cast.pick([
    palette.roof,
    palette.bright,
    palette.wall,
    mix(palette.water[1], palette.wall, 0.15),
    mix(palette.leaf[0], palette.wall, 0.2),
    mix(palette.roof, palette.bright, 0.5),
  ]),
  hair: cast.pick(['#2b1d1a', '#1f1a22', '#3d2920']),
  dress: cast.next() < 0.5,
})

/** A standing figure ten units tall, its feet at (0, 0). */
export const figure = (
  stage: Stage,
  x: number,
  y: number,
  size: number,
  person: Person,
  hands: Hands = [-1.9, -3.9, 1.9, -3.9],
): string => {
  const { palette } = stage
  const [leftX, leftY, rightX, rightY] = hands
  const shade = mix(person.cloth, palette.ink, 0.18)
  const arm = (shoulder: number, hx: number, hy: number): string =>
    stroke(d`M${shoulder},-6.9Q${shoulder * 1.5 + hx * 0.2},${(hy - 6.9) / 2} ${hx},${hy}`, shade, 0.85) +
    circle(hx, hy, 0.46, person.skin)
  const legs = person.dress
    ? stroke('M-0.6,-1.6V-0.3M0.6,-1.6V-0.3', person.skin, 0.7)
    : stroke('M-0.65,-4V-0.3M0.65,-4V-0.3', mix(palette.ink, person.cloth, 0.12), 1.1)
  const body = person.dress
    ? 'M-1.2,-7.4Q0,-8 1.2,-7.4Q1.5,-4.6 2.2,-1.6Q0,-0.9 -2.2,-1.6Q-1.5,-4.6 -1.2,-7.4Z'
    : 'M-1.35,-7.3Q0,-8 1.35,-7.3L1.45,-3.6Q0,-3.2 -1.45,-3.6Z'
  return place(
    x,
    y,
    size,
    shadow(stage, 0.4, -0.1, 2.6, 0.6),
    legs,
    arm(-1.1, leftX, leftY),
    arm(1.1, rightX, rightY),
    path(body, stage.gradients.across(person.cloth, shade)),
    path('M-0.35,-8.2H0.35V-7.2Q0,-6.9 -0.35,-7.2Z', person.skin),
    circle(0, -8.9, 1.12, person.skin),
    path('M-1.2,-8.8A1.2,1.25 0 0 1 1.2,-8.8Q0.9,-9.5 0,-9.5Q-0.9,-9.5 -1.2,-8.8Z', person.hair),
    person.dress ? ellipse(0, -10.15, 0.62, 0.5, person.hair) : '',
  )
}
