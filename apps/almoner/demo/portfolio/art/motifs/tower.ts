import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread, upTo } from '../../../scene/curve.ts'
import { road, shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from '../../../scene/svg.ts'
import { bush } from '../../../scene/trees.ts'

const legs = ({ palette }: Stage): string => {
  const steel = mix(palette.ink, palette.wall, 0.3)
  return [
    stroke('M-6.4,-36L-9.6,0M6.4,-36L9.6,0', mix(steel, palette.ink, 0.35), 0.9),
    stroke('M-8.2,-26L8.8,-12M8.2,-26L-8.8,-12M-8,-24H8M-9,-12H9', steel, 0.45),
    stroke('M-12,-36L-15.6,1.4M12,-36L15.6,1.4', steel, 1.5),
    stroke('M-13,-26L14.4,-12M13,-26L-14.4,-12M-13.2,-24H13.2M-14.4,-12H14.4', steel, 0.7),
  ].join('')
}

const tank = ({ palette, gradients }: Stage): string => {
  const shade = mix(palette.water[1], palette.ink, 0.2)
  return [
    path(
      'M-17,-56V-38Q0,-33.6 17,-38V-56Z',
      gradients.across(mix(palette.water[0], palette.wall, 0.4), palette.water[1], shade),
    ),
    ...[-50, -44].map((y) => stroke(d`M-17,${y}Q0,${y + 4.4} 17,${y}`, shade, 0.5, { opacity: 0.6 })),
    path(
      'M-19,-55.6Q0,-51.4 19,-55.6L0,-68Z',
      gradients.across(mix(palette.roof, palette.bright, 0.3), mix(palette.roof, palette.ink, 0.2)),
    ),
    stroke('M0,-68V-73', palette.ink, 0.5) + circle(0, -73, 1, palette.bright),
    path('M-18.4,-37.8Q0,-33 18.4,-37.8V-35.8Q0,-31 -18.4,-35.8Z', mix(palette.ink, palette.wall, 0.35)),
    path('M0,-49.6C2,-46.4 4,-44.4 4,-42A4,4 0 0 1 -4,-42C-4,-44.4 -2,-46.4 0,-49.6Z', palette.wall),
    stroke('M-2,-41.6A2.2,2.2 0 0 0 0,-39.6', palette.water[1], 0.6),
  ].join('')
}

const ladder = ({ palette }: Stage): string =>
  stroke(
    `M13.4,-56V-1M16.2,-56V-1${spread(19, -54, -3)
      .map((y) => d`M13.4,${y}h2.8`)
      .join('')}`,
    mix(palette.wall, palette.ink, 0.4),
    0.35,
  )

/** The stand where water is drawn: a wall with three taps, water running from each. */
const taps = (stage: Stage, x: number, y: number): string => {
  const { palette, gradients } = stage
  return place(
    x,
    y,
    1,
    shadow(stage, 1, 0.4, 17, 2),
    rect(-13, -10, 26, 10.4, gradients.across(palette.wall, mix(palette.wall, palette.hills[1], 0.5)), {
      rx: 0.6,
    }),
    rect(-14, -11.2, 28, 1.8, palette.roof, { rx: 0.6 }),
    ...[-8, 0, 8].map((at) =>
      [
        stroke(d`M${at},-7.6h2.6v1.2`, palette.ink, 0.9),
        stroke(d`M${at + 2.6},-5.8V-1.6`, palette.water[0], 0.7, { opacity: 0.95 }),
        rect(at + 0.6, -2, 4, 3.8, palette.bright, { rx: 0.4 }),
      ].join(''),
    ),
    rect(-13.6, 0, 27.2, 1.2, mix(palette.wall, palette.ink, 0.35), { rx: 0.5 }),
  )
}

/** A canister of twenty litres. */
const can = (stage: Stage, x: number, y: number, size: number, colour: string): string =>
  place(
    x,
    y,
    size,
    shadow(stage, 0.3, 0, 3, 0.6),
    rect(-2, -5, 4, 5, colour, { rx: 0.6 }),
    path('M-1.6,-5H0.4L0.8,-6.2H1.8V-4.6H-1.6Z', colour),
    stroke('M-1.2,-4.2L1.2,-1M1.2,-4.2L-1.2,-1', mix(colour, stage.palette.ink, 0.25), 0.3),
  )

/** A water tower and the taps it feeds, with the morning’s queue. */
export const tower = (stage: Stage): string => {
  const { palette } = stage
  const colours = [palette.bright, palette.water[0], palette.roof]
  return [
    country(stage, 6),
    flanks(stage, 44, 8),
    road(stage, -20, 5, 13),
    subject(
      stage,
      place(
        10,
        0,
        0.8,
        shadow(stage, 2, 1, 26, 3.6),
        ellipse(0, 1, 18, 2, mix(palette.wall, palette.ink, 0.3)),
        legs(stage),
      ),
      place(10, 0, 0.8, stroke('M0,-34V1', palette.water[1], 1.8), tank(stage), ladder(stage)),
      bush(stage, 29, 2, 1) + bush(stage, 33, 3.4, 0.8),
      taps(stage, -18, 4),
      figure(stage, -28, 9, 1.6, { ...somebody(stage), dress: true }, [-1.8, -4, 2.6, -4.6]),
      figure(stage, -9.6, 8.6, 1.55, somebody(stage), [-2.6, -4, 1.8, -4]),
      figure(stage, -40, 7, 1.5, { ...somebody(stage), dress: true }),
      figure(stage, -44.6, 8, 0.95, somebody(stage)),
      ...upTo(4).map((at) =>
        can(
          stage,
          -36 + at * 3.4 + (at > 1 ? 26 : 0),
          9.6 + (at % 2),
          0.85,
          colours[at % 3] ?? palette.bright,
        ),
      ),
      figure(stage, 20, 7, 1.6, { ...somebody(stage), dress: true }, [-2, -4, 1, -11]),
      can(stage, 21.6, -10, 0.9, palette.bright),
    ),
  ].join('')
}
