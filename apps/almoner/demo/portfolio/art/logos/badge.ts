import { circle, path, place, rect, turn } from '../../../scene/svg.ts'
import { picture } from '../picture.ts'

/** The size of every logo, in pixels. */
export const LOGO = { width: 100, height: 100 } as const

/** A logo: shapes on a square whose middle is (0, 0) and whose sides lie fifty away. */
export type Logo = () => string

/** Writes a logo as an SVG of the size that the interface names. */
export const drawLogo = (logo: Logo, name: string): string =>
  picture(LOGO, name, place(LOGO.width / 2, LOGO.height / 2, 1, logo()))

/** A round ground to the edge of the square. */
export const disc = (colour: string): string => circle(0, 0, 48, colour)

/** A square ground with soft corners. */
export const tile = (colour: string): string => rect(-47, -47, 94, 94, colour, { rx: 20 })

/** A six-sided ground that stands on a corner. */
export const hexagon = (colour: string, size = 48): string =>
  path(
    `M${[0, 1, 2, 3, 4, 5]
      .map((at) => {
        const angle = (at / 6) * Math.PI * 2
        return `${(Math.sin(angle) * size).toFixed(1)},${(-Math.cos(angle) * size).toFixed(1)}`
      })
      .join('L')}Z`,
    colour,
    { stroke: colour, 'stroke-width': 4, 'stroke-linejoin': 'round' },
  )

/** The same shape `count` times, turned about the middle; the shape is told which one it is. */
export const around = (count: number, shape: (at: number) => string, from = 0): string =>
  Array.from({ length: count }, (_, at) => turn(from + (at * 360) / count, shape(at))).join('')
