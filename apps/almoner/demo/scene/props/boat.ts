import { mix } from '../colour.ts'
import { figure, somebody } from '../people.ts'
import type { Stage } from '../stage.ts'
import { ellipse, facing, fainter, mirrored, path, place, stroke } from '../svg.ts'

type Sails = readonly [main: string, fore: string]

const rig = ({ palette, gradients }: Stage, [main, fore]: Sails): string =>
  [
    stroke('M0,-1V-22', mix(palette.roof, palette.ink, 0.6), 0.6),
    path(
      'M-0.8,-21.6C-1.2,-14 -5,-7 -10.6,-4.4Q-5,-3.6 -0.8,-3.8Z',
      gradients.across(mix(fore, palette.ink, 0.12), fore),
    ),
    path(
      'M0.8,-20.8C6.4,-16.6 10.4,-9.6 11,-4.2Q6,-3 0.8,-3.8Z',
      gradients.across(main, mix(main, palette.ink, 0.2)),
    ),
    stroke('M0.8,-15.4Q5,-14.6 6.9,-14.2M0.8,-9.4Q6,-8.6 9.8,-8.4', mix(main, palette.ink, 0.25), 0.25),
    path('M0,-22L4.4,-23.2L0,-24.4Z', palette.bright),
  ].join('')

const hull = ({ palette, gradients }: Stage): string =>
  [
    path(
      'M-13,-3.2Q0,-1 13.4,-3.8Q11.6,2 7,2.4H-8Q-12,1.6 -13,-3.2Z',
      gradients.down(mix(palette.roof, palette.bright, 0.15), mix(palette.roof, palette.ink, 0.45)),
    ),
    stroke('M-12.6,-2Q0,0.2 12.8,-2.6', palette.wall, 0.7),
  ].join('')

/** A sailing boat with its crew, its shadow on the water and its reflection. */
export const boat = (
  stage: Stage,
  x: number,
  y: number,
  size: number,
  side: -1 | 1,
  sails: Sails,
): string => {
  const { palette, gradients } = stage
  const crew = figure(stage, -5.4, -1, 0.62, somebody(stage)) + figure(stage, 5.4, -1, 0.58, somebody(stage))
  const whole = (crewed: string): string => facing(side, rig(stage, sails), crewed, hull(stage))
  return [
    place(x, y, size, ellipse(0, 2.6, 22, 2.4, gradients.glow(palette.ink, 0.5))),
    place(x, y + size * 4.4, size, fainter(0.2, mirrored(0.62, whole('')))),
    place(
      x,
      y,
      size,
      whole(crew),
      stroke('M-15,2.7Q-8,1.9 0,2.7T15,2.7', palette.water[0], 0.5, { opacity: 0.9 }),
    ),
  ].join('')
}
