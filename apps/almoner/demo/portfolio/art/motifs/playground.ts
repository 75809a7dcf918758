import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread } from '../../../scene/curve.ts'
import { shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke, turn } from '../../../scene/svg.ts'

const swings = (stage: Stage): string => {
  const { palette } = stage
  const child = (angle: number, x: number): string =>
    place(
      x,
      -30,
      1,
      turn(
        angle,
        stroke('M-1.6,0V22M1.6,0V22', palette.wall, 0.3),
        figure(stage, 0, 27.6, 1.1, somebody(stage), [-1.5, -8, 1.5, -8]),
        rect(-2.6, 21.6, 5.2, 1, palette.bright, { rx: 0.5 }),
      ),
    )
  return [
    shadow(stage, 0, 0.6, 20, 2.2),
    stroke('M-15,1L-11.4,-31L-8,1M15,1L11.4,-31L8,1', mix(palette.roof, palette.ink, 0.3), 1.1),
    child(16, -4.6),
    child(-13, 5),
    stroke('M-12.4,-30.6H12.4', palette.roof, 1.6),
  ].join('')
}

/** The climbing house with its slide. */
const slide = (stage: Stage): string => {
  const { palette, gradients } = stage
  const wood = mix(palette.roof, palette.ink, 0.45)
  return [
    shadow(stage, 4, 0.8, 24, 2.4),
    stroke('M-6,0V-31M6,0V-31', wood, 1.4),
    stroke('M-13,1L-7,-18', wood, 0.8) + stroke('M-10.4,1L-4.6,-18', wood, 0.8),
    stroke(
      spread(6, 0.06, 0.9)
        .map((share) => d`M${-13 + share * 6},${1 - share * 19}h2.6`)
        .join(''),
      mix(wood, palette.wall, 0.4),
      0.7,
    ),
    figure(stage, 0, -18, 1.1, somebody(stage), [-1.8, -4, 3, -6.6]),
    rect(-7.4, -18.6, 14.8, 1.6, mix(wood, palette.wall, 0.3)),
    stroke('M-6,-23.4H-1M-3.4,-23.4V-18', wood, 0.6),
    path(
      'M-10,-30.4L0,-39L10,-30.4Z',
      gradients.across(mix(palette.bright, palette.wall, 0.2), palette.bright),
    ),
    stroke('M0,-39V-44', palette.ink, 0.4) + path('M0.2,-44L5,-42.4L0.2,-40.8Z', palette.roof),
    path(
      'M6,-18.4H9.4Q15,-16 19,-7Q21,-2.4 28,-1.4V0.4Q19,0 16,-6Q12,-15 6,-16Z',
      gradients.across(palette.water[0], palette.water[1]),
    ),
    stroke('M6,-19.4H9.8Q15.6,-17 19.6,-8Q21.6,-3.4 28,-2.4', mix(palette.water[1], palette.ink, 0.2), 0.7),
  ].join('')
}

/** A seesaw with a child at either end. */
const seesaw = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    shadow(stage, 0, 0.4, 15, 1.6),
    path('M-2.6,0.4L0,-5L2.6,0.4Z', mix(palette.roof, palette.ink, 0.2)),
    place(
      0,
      -4.8,
      1,
      turn(
        -13,
        figure(stage, -10.6, 2.6, 1, somebody(stage), [-1.4, -4, 2.4, -3]),
        figure(stage, 10.6, 2.6, 1, { ...somebody(stage), dress: true }, [-2.4, -3, 1.4, -4]),
        rect(-14, -0.8, 28, 1.5, gradients.across(palette.roof, palette.bright, palette.roof), { rx: 0.7 }),
      ),
    ),
  ].join('')
}

/** A half-sunk tyre, painted. */
const tyre = ({ palette }: Stage, x: number, y: number, colour: string): string =>
  place(
    x,
    y,
    1,
    path('M-4,0.6A4,4.6 0 0 1 4,0.6H1.8A1.8,2.4 0 0 0 -1.8,0.6Z', colour),
    stroke('M-3.4,-1.2L-2,-0.6M0,-3.9V-2.2M3.4,-1.2L2,-0.6', mix(colour, palette.ink, 0.35), 0.4),
  )

/** Break time: swings, a slide, a seesaw, and somebody who keeps an eye on it all. */
export const playground = (stage: Stage): string => {
  const { palette } = stage
  return [
    country(stage, 4),
    flanks(stage, 50, 8),
    subject(
      stage,
      ellipse(0, 5, 54, 8, mix(palette.wall, palette.hills[3], 0.62), { opacity: 0.75 }),
      place(-28, -1, 1.35, swings(stage)),
      place(16, 0, 1.35, slide(stage)),
      place(-3, 10, 1.05, seesaw(stage)),
      ...[palette.roof, palette.bright, palette.leaf[0]].map((colour, at) =>
        tyre(stage, 25 + at * 7.6, 10.6 - at, colour),
      ),
      figure(stage, -34, 9.4, 1.7, { ...somebody(stage), dress: true }, [-1.9, -4, 2.8, -7]),
      figure(stage, -43, 8.4, 1, somebody(stage), [-2.6, -7.6, 1.9, -4]),
      circle(-39, 7.2, 1.3, palette.bright) + stroke('M-40.2,7.2H-37.8', palette.roof, 0.4),
      figure(stage, 48, 6, 1, { ...somebody(stage), dress: true }, [-2.4, -7.4, 2.4, -7.4]),
    ),
  ].join('')
}
