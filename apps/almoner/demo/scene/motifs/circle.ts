import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import { shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { type Stage, subject } from '../stage.ts'
import { d, ellipse, path, place, rect, stroke } from '../svg.ts'
import { tree } from '../trees.ts'

type Standing = { readonly x: number; readonly y: number; readonly size: number }

const count = 11

/** Where the people stand: an ellipse on the ground, larger the nearer they are. */
const ring = upTo(count).map((index): Standing => {
  const angle = ((index + 0.5) / count) * Math.PI * 2 + Math.PI / 2
  const depth = (Math.sin(angle) + 1) / 2
  return { x: Math.cos(angle) * (32 + depth * 4), y: -4 + Math.sin(angle) * 9.5, size: 1.25 + depth * 0.75 }
})

/** Both neighbours reach for the point halfway between them, seen from where each one stands. */
const reachFor = (one: Standing, other: Standing | undefined): readonly [number, number] => {
  if (other === undefined) return [0, -4]
  const [x, y] = [(one.x + other.x) / 2, (one.y - one.size * 4.3 + other.y - other.size * 4.3) / 2]
  return [(x - one.x) / one.size, (y - one.y) / one.size]
}

const people = (stage: Stage): readonly (Standing & { readonly drawn: string })[] =>
  ring.map((one, index) => {
    const hands = [
      reachFor(one, ring[(index + count - 1) % count]),
      reachFor(one, ring[(index + 1) % count]),
    ].toSorted((left, right) => left[0] - right[0])
    const [left = [0, 0], right = [0, 0]] = hands
    return { ...one, drawn: figure(stage, one.x, one.y, one.size, somebody(stage), [...left, ...right]) }
  })

/** The young tree in the middle, with its stake and a ring of fresh earth. */
const planted = (stage: Stage): string => {
  const { palette } = stage
  return [
    ellipse(0, -3, 9, 2.4, mix(palette.roof, palette.ink, 0.5)),
    ellipse(0, -3.4, 7, 1.6, mix(palette.roof, palette.ink, 0.36)),
    rect(2.6, -17, 0.9, 14, mix(palette.wall, palette.roof, 0.4)),
    stroke('M0,-12Q2,-12.6 3,-12', palette.bright, 0.5),
    tree(stage, 0, -3, 3.1),
  ].join('')
}

const bunting = ({ palette, width, height, unit }: Stage): string => {
  const [left, right, sag] = [-2 * unit, width + 2 * unit, height * 0.1]
  const at = (share: number): readonly [number, number] => [
    left + (right - left) * share,
    height * 0.02 + sag * 4 * share * (1 - share),
  ]
  const flags = Math.round(width / (unit * 7))
  return [
    stroke(
      d`M${left},${height * 0.02}Q${(left + right) / 2},${height * 0.02 + sag * 2} ${right},${height * 0.02}`,
      palette.ink,
      unit * 0.25,
      { opacity: 0.6 },
    ),
    ...upTo(flags).map((index) => {
      const [x, y] = at((index + 0.5) / flags)
      const colours = [palette.roof, palette.bright, palette.wall, palette.leaf[0]]
      return place(x, y, unit, path('M-1.8,0H1.8L0,4Z', colours[index % 4] ?? palette.roof))
    }),
  ].join('')
}

/** Neighbours hand in hand around a tree that they have just planted. */
export const circleOfPeople = (stage: Stage): string => {
  const everyone = people(stage)
  const those = (near: boolean): string =>
    everyone
      .filter(({ y }) => y > -4 === near)
      .toSorted((one, other) => one.y - other.y)
      .map(({ drawn }) => drawn)
      .join('')
  return [
    country(stage, 5),
    flanks(stage, 44, 8),
    bunting(stage),
    subject(stage, shadow(stage, 0, -3, 48, 15), those(false), planted(stage), those(true)),
  ].join('')
}
