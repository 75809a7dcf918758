import { flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { spread, upTo } from '../curve.ts'
import { shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { bicycle } from '../props/bicycle.ts'
import { spines } from '../props/books.ts'
import { heavens } from '../sky.ts'
import { reach, type Stage, subject } from '../stage.ts'
import { circle, d, ellipse, path, rect, stroke } from '../svg.ts'
import { bush } from '../trees.ts'

/** Two rows of blocks behind the square, the far one paler. */
const skyline = (stage: Stage): string => {
  const { palette, random, gradients } = stage
  const [left, right] = reach(stage)
  const row = (colour: string, low: number, high: number, step: number): string =>
    spread(Math.ceil((right - left) / step), left - 2, right - step + 4)
      .map((x) => {
        const [tall, broad] = [random.between(low, high), step * random.between(0.8, 1.1)]
        const lit = mix(colour, palette.dark ? palette.bright : palette.wall, palette.dark ? 0.7 : 0.35)
        const windows = upTo(Math.floor(tall / 4) - 1).flatMap((floor) =>
          upTo(3).map((at) =>
            random.next() < 0.6
              ? rect(x + broad * (0.16 + at * 0.26), -tall + 2.4 + floor * 4, broad * 0.14, 1.9, lit, {
                  opacity: 0.7,
                })
              : '',
          ),
        )
        return (
          rect(x, -tall, broad, tall + 2, gradients.down(colour, mix(colour, palette.sky[1], 0.35))) +
          windows.join('')
        )
      })
      .join('')
  return (
    row(mix(palette.hills[0], palette.sky[1], 0.25), 22, 44, 10) +
    row(mix(palette.hills[1], palette.sky[1], 0.12), 14, 30, 12)
  )
}

/** Three tiers of shelves behind the glass front. */
const shelves = (stage: Stage): string => {
  const { palette, gradients } = stage
  const warm = mix(palette.bright, palette.wall, 0.45)
  return [
    rect(-33, -30, 66, 30, gradients.down(mix(warm, palette.wall, 0.3), warm)),
    ...[-23.4, -15.4, -7.4].map(
      (y) =>
        spines(stage, -32, y, 22, 6) +
        spines(stage, 10.6, y, 22, 6) +
        rect(-33, y, 66, 0.8, mix(palette.roof, palette.ink, 0.3)),
    ),
    rect(-33, -6.6, 66, 6.6, mix(palette.roof, palette.ink, 0.45), { opacity: 0.28 }),
    path('M-33,-30L-14,-30L-27,0L-33,0Z', '#ffffff', { opacity: 0.16 }),
    path('M14,-30L24,-30L11,0L4,0Z', '#ffffff', { opacity: 0.14 }),
    ...spread(7, -33, 33).map((x) => rect(x - 0.5, -30, 1, 30, mix(palette.wall, palette.ink, 0.1))),
  ].join('')
}

const entrance = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    rect(-9.4, -20, 18.8, 20, gradients.across(palette.wall, mix(palette.wall, palette.ink, 0.2))),
    rect(-7, -15.6, 14, 15.6, gradients.down(mix(palette.bright, '#ffffff', 0.4), palette.bright)),
    stroke('M0,-15.6V0M-7,-11.6H7', palette.wall, 0.8),
    circle(-1.4, -6, 0.4, palette.ink) + circle(1.4, -6, 0.4, palette.ink),
    rect(-11, -21, 22, 2, palette.roof, { rx: 0.6 }),
    ellipse(0, 1, 13, 2.4, gradients.glow(palette.bright, palette.dark ? 0.7 : 0.25)),
  ].join('')
}

/** The roof is an open book, face down on the house. */
const roof = ({ palette, gradients }: Stage): string => {
  const shade = mix(palette.roof, palette.ink, 0.3)
  const wing = (side: -1 | 1, drop: number): string =>
    d`M0,${-35 + drop}C${side * 10},${-45 + drop} ${side * 28},${-45 + drop} ${side * 39},${-34 + drop}L${side * 38},${-30 + drop}C${side * 26},${-38 + drop} ${side * 10},${-38 + drop} 0,${-29.6 + drop}Z`
  return [
    path('M-34,-30V-33Q-18,-41 0,-32Q18,-41 34,-33V-30Z', mix(palette.wall, palette.ink, 0.22)),
    path(wing(-1, 1.8), palette.wall) + path(wing(1, 1.8), mix(palette.wall, palette.ink, 0.14)),
    path(wing(-1, 0), gradients.across(mix(palette.roof, palette.bright, 0.3), palette.roof)),
    path(wing(1, 0), gradients.across(palette.roof, shade)),
    stroke('M0,-35V-29', shade, 0.7),
    path('M11,-41.6L15.4,-42.4V-33.4L13.4,-35.4L11,-33.4Z', palette.bright),
  ].join('')
}

const lamp = ({ palette, gradients }: Stage, x: number): string =>
  [
    circle(x, -15, palette.dark ? 11 : 5, gradients.glow(palette.bright, 0.6)),
    stroke(d`M${x},4V-13`, palette.ink, 0.6) + stroke(d`M${x - 1.4},4H${x + 1.4}`, palette.ink, 0.9),
    circle(x, -15, 1.8, mix(palette.bright, '#ffffff', 0.45)),
  ].join('')

const square = (stage: Stage): string => {
  const { palette, gradients, width, height, ground } = stage
  const stone = mix(palette.hills[2], palette.wall, palette.dark ? 0.12 : 0.42)
  return rect(0, ground, width, height - ground, gradients.down(stone, mix(stone, palette.hills[3], 0.55)))
}

/** The city library in the evening of a working day: glass, shelves, and a roof like a book. */
export const library = (stage: Stage): string => {
  const { palette } = stage
  const step = (half: number, y: number, share: number): string =>
    rect(-half, y, half * 2, 1.5, mix(palette.wall, palette.ink, share), { rx: 0.3 })
  return [
    heavens(stage, stage.random.between(0.14, 0.24), 0.2),
    subject(stage, skyline(stage)),
    square(stage),
    flanks(stage, 42, 8),
    subject(
      stage,
      shadow(stage, 2, 3, 52, 5),
      shelves(stage),
      rect(-34.4, -30, 1.8, 30.4, palette.wall) +
        rect(32.6, -30, 1.8, 30.4, mix(palette.wall, palette.ink, 0.2)),
      entrance(stage),
      roof(stage),
      step(36, 0, 0.08) + step(37.5, 1.5, 0.18) + step(39, 3, 0.28),
      bush(stage, -30, 1, 1) + bush(stage, -23.6, 1.2, 0.8) + bush(stage, 29, 1.1, 1.05),
      lamp(stage, -41) + lamp(stage, 41),
      bicycle(stage, 25, 9.4, 0.86, ''),
      figure(stage, -14, 7.6, 1.3, somebody(stage), [-1.7, -4, 2, -5.6]),
      figure(stage, -9.6, 8, 0.86, somebody(stage)),
      figure(stage, 10, 6.6, 1.2, somebody(stage)),
      figure(stage, -27, 9, 1.25, somebody(stage)),
    ),
  ].join('')
}
