import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { spread } from '../curve.ts'
import { road, shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { bicycle } from '../props/bicycle.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, path, place, rect, stroke } from '../svg.ts'
import { bush } from '../trees.ts'

/** A white cross on the palette's leaf green: care, and no protected emblem. */
const sign = ({ palette }: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    circle(0, 0, 5, palette.wall),
    circle(0, 0, 4.3, palette.leaf[1]),
    path('M-1,-3H1V-1H3V1H1V3H-1V1H-3V-1H-1Z', palette.wall),
  )

const scallops = (palette: Stage['palette']): string =>
  spread(10, -30, 24)
    .map((x, at) =>
      path(d`M${x},-19H${x + 6}V-16.6A3,3 0 0 1 ${x},-16.6Z`, at % 2 === 0 ? palette.roof : palette.wall),
    )
    .join('')

const tent = (stage: Stage): string => {
  const { palette, gradients } = stage
  const shade = mix(palette.wall, palette.hills[1], 0.4)
  const panel = (from: number, to: number, fill: string): string =>
    path(d`M0,-44Q${from * 0.32},-27 ${from},-19H${to}Q${to * 0.32},-27 0,-44Z`, fill)
  return [
    shadow(stage, 3, 0.6, 46, 4.6),
    stroke('M-30,-19L-41,1M30,-19L41,1', mix(palette.wall, palette.ink, 0.3), 0.35),
    rect(-28, -19, 56, 19.6, gradients.across(palette.wall, shade)),
    ...[-22, -16, 16, 22].map((x) =>
      stroke(d`M${x},-18V0.4`, mix(shade, palette.ink, 0.1), 0.3, { opacity: 0.5 }),
    ),
    path(
      'M-10,0.6L-10,-19L10,-19L10,0.6Z',
      gradients.down(mix(palette.ink, palette.roof, 0.15), mix(palette.ink, palette.bright, 0.35)),
    ),
    rect(-6, -6.4, 9, 1, palette.wall) +
      stroke('M-5,-5.4V0.4M2,-5.4V0.4', palette.wall, 0.5) +
      rect(-5, -8, 6.4, 1.7, palette.water[0], { rx: 0.6 }),
    figure(stage, 5.6, 0.6, 1.2, { ...somebody(stage), cloth: palette.wall }),
    circle(0, -14, 9, gradients.glow(palette.bright, 0.4)),
    path('M-10,-19Q-9.6,-8 -14.6,0.6H-10.4Q-5,-8 -4,-19Z', gradients.across(palette.wall, shade)),
    path('M10,-19Q9.6,-8 14.6,0.6H10.4Q5,-8 4,-19Z', gradients.across(shade, palette.wall)),
    panel(-30, 30, palette.wall),
    panel(-30, -18, gradients.across(palette.roof, mix(palette.roof, palette.bright, 0.2))),
    panel(-6, 6, mix(palette.roof, palette.bright, 0.1)),
    panel(18, 30, mix(palette.roof, palette.ink, 0.16)),
    panel(6, 18, mix(palette.wall, palette.ink, 0.1)),
    scallops(palette),
    stroke('M0,-44V-52', palette.ink, 0.5),
    path('M0.2,-52L7,-49.8L0.2,-47.6Z', palette.bright),
    sign(stage, 0, -26.4, 1.15),
  ].join('')
}

/** A travelling clinic: the tent, the nurse’s bicycle and the people who have come. */
export const clinic = (stage: Stage): string => {
  const { palette } = stage
  const box = rect(-3, -4.4, 5.4, 4.4, palette.wall, { rx: 0.5 }) + sign(stage, -0.3, -2.2, 0.36)
  return [
    country(stage, 6),
    flanks(stage, 44, 7),
    road(stage, 0, 8, 20),
    subject(
      stage,
      tent(stage),
      bush(stage, -30, 1, 0.9),
      bush(stage, 30.4, 1.2, 1.1),
      bicycle(stage, -22, 9, 1.25, box),
      figure(stage, 17, 6.4, 1.35, { ...somebody(stage), dress: true }, [-1.8, -4, 2, -5.4]),
      figure(stage, 20.6, 7.2, 0.82, somebody(stage)),
      figure(stage, 28, 6, 1.4, somebody(stage)),
    ),
  ].join('')
}
