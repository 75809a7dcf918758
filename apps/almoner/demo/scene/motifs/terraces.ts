import { mix } from '../colour.ts'
import { type Point, smooth, spread, upTo } from '../curve.ts'
import { below, peaks, ridge, shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { heavens } from '../sky.ts'
import type { Stage } from '../stage.ts'
import { circle, path, place, rect, stroke } from '../svg.ts'
import { grove } from '../trees.ts'

const steps = 9

/** The lip of a terrace. Each one drifts a little from the one above, as contour lines do on a slope. */
const lip = (stage: Stage, index: number, phase: number): ((x: number) => number) => {
  const { width, height, unit } = stage
  const depth = index / (steps - 1)
  const base = height * (0.5 + 0.47 * depth ** 1.25)
  const swing = unit * (6 + depth * 3)
  return (x) =>
    base +
    swing * Math.sin((x / width) * 3.6 + phase + index * 0.17) +
    swing * 0.35 * Math.sin((x / (unit * 100)) * 9 + phase * 2 + index * 0.36)
}

const terrace = (stage: Stage, index: number, phase: number): string => {
  const { width, unit, palette, gradients, random } = stage
  const depth = index / (steps - 1)
  const yAt = lip(stage, index, phase)
  const points = spread(19, -width * 0.04, width * 1.04).map((x): Point => [x, yAt(x)])
  const line = smooth(points)
  const flooded = index % 3 === 1
  const field = flooded
    ? mix(palette.water[0], palette.sky[1], 0.3)
    : mix(
        mix(palette.leaf[0], palette.bright, index % 3 === 0 ? 0.35 : 0.08),
        palette.sky[1],
        0.3 - depth * 0.3,
      )
  const wall = mix(mix(palette.hills[2], palette.hills[3], depth), palette.sky[1], 0.22 - depth * 0.2)
  const gap = unit * (1.5 + depth * 1.6)
  const plants = upTo(Math.ceil(width / gap)).map((at) => {
    const x = at * gap + random.between(-0.2, 0.2) * gap
    const size = unit * (0.45 + depth * 0.55)
    return place(
      x,
      yAt(x) + unit * (0.7 + depth * 1.5),
      size,
      stroke(
        'M0,0Q-0.3,-1 -1,-1.5M0,0V-1.9M0,0Q0.3,-1 1,-1.5',
        flooded ? palette.leaf[1] : mix(palette.leaf[1], palette.ink, 0.2),
        0.36,
        { opacity: 0.75 },
      ),
    )
  })
  return [
    path(below(line, stage), gradients.down(field, mix(field, palette.leaf[1], 0.55))),
    stroke(line, mix(palette.wall, palette.bright, 0.2), unit * 0.32, { opacity: 0.55 }),
    flooded
      ? stroke(line, palette.sun, unit * 0.9, { opacity: 0.35, transform: `translate(0 ${unit * 0.9})` })
      : '',
    ...plants,
    place(
      0,
      unit * (2.6 + depth * 3.2),
      1,
      path(below(line, stage), gradients.down(wall, mix(wall, palette.ink, 0.25))),
    ),
  ].join('')
}

const hut = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette, gradients } = stage
  return place(
    x,
    y,
    size,
    shadow(stage, 0, 0.4, 8, 1.2),
    rect(-4, -5, 8, 5.4, gradients.across(palette.wall, mix(palette.wall, palette.ink, 0.25))),
    rect(-1, -3.6, 2, 4, mix(palette.roof, palette.ink, 0.4)),
    circle(2.5, -2.8, 0.7, palette.dark ? palette.bright : palette.water[1]),
    path(
      'M-5.6,-4.6L0,-9.8L5.6,-4.6Z',
      gradients.across(mix(palette.roof, palette.bright, 0.35), palette.roof),
    ),
  )
}

/** The sun over terraced fields that step down towards the viewer. */
export const terraces = (stage: Stage): string => {
  const { width, unit, palette, random } = stage
  const phase = random.between(0, 6.28)
  const sunX = random.between(0.32, 0.68)
  const hutX = width * (sunX < 0.5 ? random.between(0.6, 0.76) : random.between(0.24, 0.4))
  const farmer = { x: width * random.between(0.4, 0.6), step: 5 }
  const hat = (x: number, y: number, size: number): string =>
    place(x, y, size, path('M-2.4,-9.2Q0,-10 2.4,-9.2L0,-11.4Z', palette.bright))
  const onStep = (step: number, x: number): number => lip(stage, step, phase)(x) + unit * 1.4
  return [
    heavens(stage, sunX, 0.24, 9),
    peaks(stage, 0.56, 26, palette.hills[0]),
    ridge(stage, 0.46, 5, mix(palette.hills[0], palette.hills[1], 0.5)),
    ...upTo(3).map((index) => terrace(stage, index, phase)),
    grove(stage, 3, (index) => [
      hutX + unit * (index * 5 - 14),
      onStep(2, hutX + unit * (index * 5 - 14)),
      unit * (0.8 + index * 0.1),
    ]),
    hut(stage, hutX, onStep(2, hutX), unit * 1.15),
    ...upTo(3).map((index) => terrace(stage, index + 3, phase)),
    figure(
      stage,
      farmer.x,
      onStep(farmer.step, farmer.x),
      unit * 1.1,
      somebody(stage),
      [-2.6, -4, 2.2, -4.4],
    ),
    hat(farmer.x, onStep(farmer.step, farmer.x), unit * 1.1),
    ...upTo(3).map((index) => terrace(stage, index + 6, phase)),
  ].join('')
}
