import { country, flanks } from '../backdrop.ts'
import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import { shadow } from '../land.ts'
import { figure, somebody } from '../people.ts'
import { type Stage, subject } from '../stage.ts'
import { circle, d, ellipse, fainter, path, place, rect, stroke } from '../svg.ts'

const drop = ({ palette, gradients }: Stage, x: number, y: number, size: number): string =>
  place(
    x,
    y,
    size,
    path(
      'M0,-5C1.6,-2.2 3.2,-0.6 3.2,1.5A3.2,3.2 0 0 1 -3.2,1.5C-3.2,-0.6 -1.6,-2.2 0,-5Z',
      gradients.down(palette.water[0], palette.water[1]),
    ),
    stroke('M-1.8,1.6A1.9,1.9 0 0 0 -0.3,3.3', '#ffffff', 0.5, { opacity: 0.75 }),
  )

const stonework = ({ palette, random }: Stage): string => {
  const stone = mix(palette.wall, palette.hills[2], 0.35)
  return upTo(3)
    .flatMap((row) =>
      upTo(7).map((column) => {
        const turnOf = (step: number): number =>
          Math.sin(((step - 3.5 + (row % 2) * 0.5) / 7) * Math.PI * 0.98) * 15.4
        const [left, right] = [turnOf(column), turnOf(column + 1)]
        const y = -13 + row * 4.6 + 3.2 * Math.sqrt(Math.max(0, 1 - ((left + right) / 31) ** 2))
        return rect(
          left + 0.3,
          y,
          Math.max(0.4, right - left - 0.6),
          4,
          mix(stone, palette.ink, random.between(0, 0.16)),
          { rx: 0.9 },
        )
      }),
    )
    .join('')
}

const wellHead = (stage: Stage): string => {
  const { palette, gradients } = stage
  const [wood, dark] = [mix(palette.roof, palette.ink, 0.5), mix(palette.wall, palette.ink, 0.55)]
  return [
    shadow(stage, 4, 3, 34, 6),
    path('M-16,-14V2A16,4.4 0 0 0 16,2V-14Z', gradients.across(mix(dark, palette.wall, 0.25), dark)),
    stonework(stage),
    path('M-16,-14V2A16,4.4 0 0 0 16,2V-14Z', gradients.across('#ffffff', palette.ink), { opacity: 0.16 }),
    rect(-14.4, -45, 2.2, 31, gradients.across(mix(wood, palette.bright, 0.25), wood)),
    rect(12.2, -45, 2.2, 31, gradients.across(mix(wood, palette.bright, 0.15), wood)),
    ellipse(0, -14, 17.4, 4.8, mix(palette.wall, palette.hills[2], 0.16)),
    ellipse(0, -14, 13.6, 3.3, mix(palette.ink, palette.water[1], 0.25)),
    path(
      'M-13,-13.2A13.6,3.3 0 0 0 13,-13.2Q0,-14.6 -13,-13.2Z',
      gradients.down(palette.water[1], palette.water[0]),
    ),
    rect(-17, -35.6, 34, 1.8, wood, { rx: 0.9 }) + stroke('M17,-34.7H20V-30.4H22', palette.ink, 0.8),
    rect(-3, -36.2, 6, 3, mix(palette.roof, palette.wall, 0.35), { rx: 1 }),
    stroke('M0,-33.4V-25', mix(palette.roof, palette.ink, 0.35), 0.5),
    stroke('M-3.4,-20.6Q0,-29 3.4,-20.6', palette.ink, 0.45),
    path(
      'M-3.9,-21H3.9L3,-14.6Q0,-13.8 -3,-14.6Z',
      gradients.across(palette.bright, mix(palette.bright, palette.roof, 0.7)),
    ),
    ellipse(0, -21, 3.9, 0.9, palette.water[0]),
    path(
      'M-21,-40L-15,-52L15,-52L21,-40Z',
      gradients.across(
        mix(palette.roof, palette.bright, 0.3),
        palette.roof,
        mix(palette.roof, palette.ink, 0.3),
      ),
    ),
    stroke('M-19,-44H19M-17,-48H17', mix(palette.roof, palette.ink, 0.4), 0.35, { opacity: 0.5 }),
    rect(-22, -40.8, 44, 1.6, mix(palette.roof, palette.ink, 0.4), { rx: 0.8 }),
    rect(-16, -53, 32, 1.6, mix(palette.roof, palette.ink, 0.2), { rx: 0.8 }),
  ].join('')
}

const jar = (stage: Stage, x: number, y: number, size: number): string => {
  const { palette, gradients } = stage
  return place(
    x,
    y,
    size,
    shadow(stage, 0.6, 0, 4.4, 0.9),
    path(
      'M-1.4,-7.4H1.4L1.2,-6C3.8,-5 3.6,-1.4 1.6,0.2H-1.6C-3.6,-1.4 -3.8,-5 -1.2,-6Z',
      gradients.across(mix(palette.bright, palette.wall, 0.2), palette.roof),
    ),
    ellipse(0, -7.4, 1.7, 0.5, mix(palette.roof, palette.ink, 0.4)),
    stroke('M-2.8,-3.6Q0,-2.6 2.8,-3.6', palette.wall, 0.4, { opacity: 0.7 }),
  )
}

/** A village well: neighbours come with jars, and water rises over it in drops. */
export const well = (stage: Stage): string => {
  const { palette, random, gradients } = stage
  return [
    country(stage, 7),
    flanks(stage, 40, 7),
    subject(
      stage,
      circle(0, -30, 40, gradients.glow(palette.water[0], 0.5)),
      ...[
        [-31, -38, 1.5],
        [32.5, -37, 1.1],
        [-25.5, -51, 0.8],
        [29, -29.5, 0.7],
        [25.6, -49, 1.6],
      ].map(([x = 0, y = 0, size = 1]) =>
        drop(stage, x + random.between(-2, 2), y + random.between(-2, 2), size),
      ),
      wellHead(stage),
      figure(stage, -26, 5.4, 1.9, { ...somebody(stage), dress: true }, [-1.7, -4.2, 2.6, -5.2]),
      jar(stage, -19.6, 7, 0.9),
      figure(stage, 29, 5, 1.3, somebody(stage), [-2.4, -5.6, 1.8, -4]),
      jar(stage, 23.6, 6.6, 0.95),
      jar(stage, 19.6, 8.4, 0.7),
      fainter(0.6, ellipse(3, 10.5, 12, 1.6, gradients.across(palette.water[0], palette.water[1]))),
      stroke(d`M-4,10.4H2M5,10.9H10`, '#ffffff', 0.3, { opacity: 0.6 }),
    ),
  ].join('')
}
