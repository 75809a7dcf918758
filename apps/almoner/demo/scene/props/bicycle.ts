import { mix } from '../colour.ts'
import { spread } from '../curve.ts'
import { shadow } from '../land.ts'
import type { Stage } from '../stage.ts'
import { circle, d, element, place, rect, stroke } from '../svg.ts'

const wheel = ({ palette }: Stage, x: number): string =>
  [
    element('circle', { cx: x, cy: -3.5, r: 3.3, fill: 'none', stroke: palette.ink, 'stroke-width': 0.55 }),
    ...spread(7, 0, 5.385).map((angle) =>
      stroke(
        d`M${x},-3.5L${x + Math.cos(angle) * 3.1},${-3.5 + Math.sin(angle) * 3.1}`,
        mix(palette.wall, palette.ink, 0.4),
        0.1,
      ),
    ),
    circle(x, -3.5, 0.5, palette.ink),
  ].join('')

/** A bicycle about sixteen units long, its wheels on (0, 0); `load` is drawn on the carrier. */
export const bicycle = (stage: Stage, x: number, y: number, size: number, load: string): string => {
  const { palette } = stage
  return place(
    x,
    y,
    size,
    shadow(stage, 0, 0, 9.5, 1),
    wheel(stage, -5),
    wheel(stage, 5),
    stroke('M-5,-3.5L-2.2,-7.6L3.4,-7.6L0,-3.2ZM0,-3.2L-2.6,-9', palette.roof, 0.62),
    stroke('M0,-3.2H-5M3.2,-9.4L5,-3.5', palette.roof, 0.55),
    stroke('M3,-9.8Q4.6,-10.6 5.2,-9.6M3.2,-9.4L3,-9.9', palette.ink, 0.5),
    stroke('M-4,-9.2H-1.4', palette.ink, 0.9),
    circle(0, -3.2, 0.8, palette.bright) + stroke('M0,-3.2L0.9,-1.6H1.7', palette.ink, 0.32),
    stroke('M-7.8,-7.2H-3.2M-5,-3.5L-6.2,-7.2', palette.ink, 0.32),
    place(-5.8, -7.3, 1, load),
    rect(4.4, -8.6, 0.8, 0.8, palette.bright, { rx: 0.4 }),
  )
}
