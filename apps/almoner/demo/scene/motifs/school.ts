import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { road, shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, path, rect, stroke } from '../svg.ts'
import { bush } from '../trees.ts'

const windowPane = ({ palette, gradients }: Stage, x: number, y: number): string => {
  const glass = palette.dark
    ? gradients.down(palette.bright, mix(palette.bright, palette.roof, 0.4))
    : gradients.down(palette.water[1], palette.water[0])
  return [
    rect(x - 2.9, y - 0.4, 5.8, 7.4, palette.wall, { rx: 0.4 }),
    rect(x - 2.4, y, 4.8, 6.4, glass),
    stroke(d`M${x},${y}v6.4M${x - 2.4},${y + 2.6}h4.8`, palette.wall, 0.45),
    rect(x - 3.3, y + 6.8, 6.6, 0.8, mix(palette.wall, palette.ink, 0.25)),
  ].join('')
}

const tower = (stage: Stage): string => {
  const { palette } = stage
  const shade = mix(palette.roof, palette.ink, 0.25)
  return [
    stroke('M0,-47V-55', palette.ink, 0.5),
    path('M0.2,-55Q3,-56.4 5,-55T9.4,-55V-50.6Q7,-49.4 5,-50.6T0.2,-50.6Z', palette.bright),
    rect(-3.6, -41, 7.2, 10, stage.gradients.across(palette.wall, mix(palette.wall, palette.ink, 0.2))),
    path('M-2,-33.4V-37a2,2 0 0 1 4,0V-33.4Z', mix(palette.ink, palette.roof, 0.2)),
    path('M-1.1,-34.4Q-1,-36.6 0,-36.9Q1,-36.6 1.1,-34.4Z', palette.bright),
    path('M-5,-40.6L0,-48L5,-40.6Z', palette.roof),
    path('M0,-48L5,-40.6L1.2,-40.6Z', shade),
  ].join('')
}

const house = (stage: Stage): string => {
  const { palette, gradients } = stage
  const side = mix(palette.wall, palette.hills[1], 0.3)
  const shade = mix(palette.roof, palette.ink, 0.25)
  return [
    shadow(stage, 3, 0.6, 44, 4),
    rect(-28, -17, 56, 17.4, gradients.across(palette.wall, side)),
    rect(-28, -3, 56, 3.4, mix(palette.hills[2], palette.wall, 0.25)),
    ...[-22.5, -14.5, 14.5, 22.5].map((x) => windowPane(stage, x, -13)),
    rect(-28, -17, 56, 1.8, palette.ink, { opacity: 0.16 }),
    path(
      'M-31.5,-16.6L-24,-28L24,-28L31.5,-16.6Z',
      gradients.across(mix(palette.roof, palette.bright, 0.18), palette.roof, shade),
    ),
    stroke('M-26.4,-22.4H26.4M-28.8,-19.2H28.8M-25,-25.4H25', shade, 0.3, { opacity: 0.45 }),
    tower(stage),
    rect(-8, -20, 16, 20.4, gradients.across(mix(palette.wall, '#ffffff', 0.4), side)),
    path('M-10.5,-19.6L0,-31.5L10.5,-19.6Z', palette.roof),
    path('M-7.6,-19.9L0,-28.4L7.6,-19.9Z', palette.wall),
    circle(0, -22.8, 1.9, mix(palette.water[1], palette.ink, 0.15)) +
      stroke('M0,-22.8V-24M0,-22.8H0.9', palette.wall, 0.35),
    path('M-3.6,0.4V-9.2a3.6,3.8 0 0 1 7.2,0V0.4Z', mix(palette.roof, palette.ink, 0.35)),
    path('M-2.8,0.4V-9a2.8,3 0 0 1 5.6,0V0.4Z', mix(palette.roof, palette.ink, 0.1)),
    stroke('M0,0.4V-12', mix(palette.roof, palette.ink, 0.4), 0.35),
    rect(-5.4, 0.2, 10.8, 1, mix(palette.wall, palette.ink, 0.12)) +
      rect(-6.6, 1.2, 13.2, 1, mix(palette.wall, palette.ink, 0.24)),
  ].join('')
}

/** A village school on a rise, children on their way to it. */
export const school = (stage: Stage): string =>
  [
    country(stage, 9),
    flanks(stage, 36, 8),
    road(stage, 0, 4.4, 15),
    subject(
      stage,
      house(stage),
      ...[-27, -9.6, 9.8, 26.5].map((x) => bush(stage, x, 1.2, 0.95)),
      figure(stage, -9, 8.4, 0.88, somebody(stage)),
      figure(stage, -4.4, 9.6, 0.78, somebody(stage)),
      figure(stage, 12, 6.4, 0.74, somebody(stage), [-1.9, -3.9, 2.6, -8.8]),
    ),
  ].join('')
