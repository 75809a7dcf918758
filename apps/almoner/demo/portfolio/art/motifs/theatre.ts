import { country, flanks } from '../../../scene/backdrop.ts'
import { mix } from '../../../scene/colour.ts'
import { spread, upTo } from '../../../scene/curve.ts'
import { shadow } from '../../../scene/land.ts'
import { figure, somebody } from '../../../scene/people.ts'
import { type Stage, subject } from '../../../scene/stage.ts'
import { circle, d, ellipse, path, place, rect, stroke } from '../../../scene/svg.ts'

/** One half of the curtain, gathered at the side: five folds, each a little darker than the last. */
const curtain = ({ palette }: Stage, side: -1 | 1): string =>
  upTo(5)
    .map((fold) => {
      const [outer, inner] = [side * (32 - fold * 3), side * (29 - fold * 3)]
      const foot = side * (32 - fold * 1.1)
      return path(
        d`M${outer},-45H${inner}Q${inner + side * 1.5},-24 ${foot - side * 1.1},-6H${foot}Q${outer},-24 ${outer},-45Z`,
        mix(palette.roof, palette.ink, fold % 2 === 0 ? 0.05 : 0.2),
      )
    })
    .join('')

const valance = ({ palette }: Stage): string =>
  spread(12, -33, 27.5)
    .map((x, at) =>
      path(
        d`M${x},-47H${x + 5.5}V-42.5A2.75,3 0 0 1 ${x},-42.5Z`,
        mix(palette.roof, at % 2 === 0 ? palette.bright : palette.ink, at % 2 === 0 ? 0.25 : 0.12),
      ),
    )
    .join('')

/** What is played: a paper moon and hills, painted on the cloth behind the players. */
const backcloth = ({ palette, gradients }: Stage): string =>
  [
    rect(-33, -46, 66, 40, gradients.down(mix(palette.ink, palette.water[1], 0.45), palette.water[1])),
    circle(9, -33, 15, gradients.glow(palette.bright, 0.6)),
    circle(9, -33, 6, palette.bright),
    path(
      'M-33,-6V-19Q-22,-27 -10,-17Q4,-25 16,-16Q25,-22 33,-17V-6Z',
      mix(palette.leaf[1], palette.ink, 0.2),
    ),
    path('M-33,-6V-12Q-16,-18 0,-11Q18,-17 33,-11V-6Z', palette.leaf[0]),
  ].join('')

const house = (stage: Stage): string => {
  const { palette, gradients } = stage
  const wood = mix(palette.roof, palette.ink, 0.5)
  return [
    shadow(stage, 3, 0.8, 46, 5),
    backcloth(stage),
    curtain(stage, -1) + curtain(stage, 1),
    rect(-36, -50, 4, 50, gradients.across(mix(wood, palette.bright, 0.3), wood)),
    rect(32, -50, 4, 50, gradients.across(mix(wood, palette.bright, 0.2), wood)),
    valance(stage),
    path('M-40,-47L-34,-55Q0,-64 34,-55L40,-47Z', gradients.across(palette.bright, palette.roof)),
    stroke('M-38,-48.6Q0,-49.6 38,-48.6', mix(palette.roof, palette.ink, 0.35), 0.5),
    circle(0, -54, 3.2, palette.wall) + path('M-1.4,-54.8Q0,-51.4 1.4,-54.8Z', palette.roof),
    rect(-38, -6.4, 76, 1.6, mix(palette.wall, wood, 0.35)),
    rect(-38, -4.8, 76, 5, gradients.down(mix(wood, palette.wall, 0.2), wood)),
    ...spread(9, -34, 34).map((x) => circle(x, -2.4, 0.7, palette.bright)),
  ].join('')
}

/** Lamps on a wire from one edge of the frame to the other, brighter after dark. */
const lamps = (stage: Stage): string => {
  const { palette, gradients } = stage
  const bulbs = spread(17, -88, 88).map((x) => {
    const y = -66 + (1 - (x / 88) ** 2) * 7
    const light = palette.dark ? circle(x, y + 1.8, 5, gradients.glow(palette.bright, 0.7)) : ''
    return light + circle(x, y + 1.8, 0.95, palette.bright)
  })
  return stroke('M-95,-67.2Q0,-51.4 95,-67.2', palette.ink, 0.3, { opacity: 0.6 }) + bulbs.join('')
}

/** The audience on its benches, seen from behind. */
const audience = (stage: Stage): string => {
  const { palette, cast } = stage
  const row = (y: number, count: number, half: number, size: number): string => {
    const bench = rect(-half - 4, y + 1.4, half * 2 + 8, 1.1, mix(palette.roof, palette.ink, 0.6), {
      rx: 0.5,
    })
    const seated = spread(count, -half, half).map((x) => {
      const { cloth, hair } = somebody(stage)
      const at = x + cast.between(-0.8, 0.8)
      return [
        path(
          d`M${at - 2 * size},${y + 1.6}Q${at - 2 * size},${y - 3.4 * size} ${at},${y - 3.6 * size}Q${at + 2 * size},${
            y - 3.4 * size
          } ${at + 2 * size},${y + 1.6}Z`,
          mix(cloth, palette.ink, 0.25),
        ),
        circle(at, y - 5 * size, 1.55 * size, hair),
      ].join('')
    })
    return ellipse(0, y + 3, half + 7, 1.4, palette.ink, { opacity: 0.25 }) + seated.join('') + bench
  }
  return row(6.4, 9, 27, 1) + row(12.6, 9, 34, 1.3)
}

/** A play in the open air: the stage, two players before a paper moon, and their neighbours on the benches. */
export const theatre = (stage: Stage): string => {
  const { palette, gradients } = stage
  return [
    country(stage, 4, 16),
    flanks(stage, 46, 6),
    subject(
      stage,
      place(
        0,
        0,
        0.9,
        lamps(stage),
        house(stage),
        path('M-9,-42L-22,-6H4Z', gradients.down(palette.bright, palette.wall), { opacity: 0.18 }),
        figure(
          stage,
          -11,
          -6,
          1.7,
          { ...somebody(stage), dress: true, cloth: palette.bright },
          [-3.6, -8, 2.6, -6],
        ),
        figure(stage, 8, -6, 1.7, { ...somebody(stage), cloth: palette.wall }, [-2.6, -5.4, 3.4, -8.6]),
      ),
      audience(stage),
    ),
  ].join('')
}
