import { flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { firmament } from '../firmament.ts'
import { mound, ridge, road, shadow } from '../land.ts'
import { afterSunset } from '../palette.ts'
import { figure, somebody } from '../people.ts'
import { type Stage, subject } from '../stage.ts'
import { ellipse, path, place, rect, stroke, turn } from '../svg.ts'

const dome = (stage: Stage): string => {
  const { palette, gradients } = stage
  const [light, dark] = [mix(palette.wall, palette.sky[1], 0.2), mix(palette.wall, palette.ink, 0.62)]
  return [
    shadow(stage, 0, 0.5, 34, 4),
    rect(-18, -15, 36, 16, gradients.across(light, mix(light, dark, 0.5), dark)),
    stroke('M-18,-3H18', palette.ink, 0.4, { opacity: 0.25 }),
    path('M-3,1V-6.4a3,3.2 0 0 1 6,0V1Z', palette.bright),
    ellipse(0, 2.4, 10, 2.2, gradients.glow(palette.bright, 0.6)),
    ...[-12, 12].map((x) => rect(x - 1.6, -9.6, 3.2, 4.2, palette.bright, { rx: 1.6 })),
    path('M-19.5,-15a19.5,20 0 0 1 39,0Z', gradients.across(light, mix(light, dark, 0.45), dark)),
    stroke('M-9,-15Q-8.4,-28 -2,-34.4M9,-15Q8.4,-28 2,-34.4', palette.ink, 0.35, { opacity: 0.18 }),
    path(
      'M-2.6,-14.8C-2,-24 3,-32.4 10.4,-32.9L14.6,-30C8,-28.4 4.6,-22 4,-14.8Z',
      gradients.down(mix(palette.ink, palette.sky[0], 0.3), mix(palette.bright, palette.roof, 0.3)),
    ),
    place(
      3.4,
      -21,
      1,
      turn(
        34,
        rect(-1.9, -21, 3.8, 22, gradients.across(palette.wall, mix(palette.wall, palette.ink, 0.5)), {
          rx: 0.6,
        }),
        rect(-2.4, -22, 4.8, 2.6, palette.roof, { rx: 0.5 }),
      ),
    ),
    rect(
      -21,
      -16.4,
      42,
      2.6,
      gradients.across(mix(palette.roof, palette.wall, 0.1), mix(palette.roof, palette.ink, 0.5)),
      { rx: 1 },
    ),
  ].join('')
}

const stargazers = (stage: Stage): string => {
  const { palette } = stage
  return [
    stroke('M34,4.6L36.4,-4.6L38.8,4.6M36.4,-4.6V4', palette.ink, 0.6),
    place(
      36.4,
      -5,
      1,
      turn(
        52,
        rect(-1.1, -8, 2.2, 11, palette.wall, { rx: 0.5 }),
        rect(-1.4, -8.6, 2.8, 1.6, palette.roof, { rx: 0.4 }),
      ),
    ),
    figure(stage, 31.4, 4.8, 1.05, somebody(stage), [-1.6, -3.8, 2.3, -7]),
    figure(stage, -30, 5.4, 1, somebody(stage), [-1.9, -3.9, 2.6, -10]),
    figure(stage, -35, 5.8, 0.72, somebody(stage)),
  ].join('')
}

/** An observatory under a clear night, whatever the palette's hour. */
export const observatory = (day: Stage): string => {
  const stage: Stage = { ...day, palette: afterSunset(day.palette) }
  const [far, middle, near, ground] = stage.palette.hills
  return [
    firmament(stage),
    ridge(stage, 0.56, 8, far),
    ridge(stage, 0.64, 6, middle),
    ridge(stage, 0.71, 4, near),
    mound(stage, 12, ground),
    flanks(stage, 42, 10),
    road(stage, 0, 2.6, 11),
    subject(stage, dome(stage), stargazers(stage)),
  ].join('')
}
