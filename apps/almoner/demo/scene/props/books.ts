import { mix } from '../colour.ts'
import { upTo } from '../curve.ts'
import type { Stage } from '../stage.ts'
import { place, rect, turn } from '../svg.ts'

/** A row of book spines that stands on (x, y) and fills the given width; some lean, some have a band. */
export const spines = (
  { palette, random }: Stage,
  x: number,
  y: number,
  width: number,
  tall: number,
): string => {
  const thick = tall * 0.24
  const one = (at: number): string => {
    const colour = random.pick([
      palette.roof,
      palette.bright,
      palette.leaf[0],
      palette.leaf[1],
      mix(palette.water[1], palette.wall, 0.1),
      palette.wall,
      mix(palette.roof, palette.ink, 0.3),
    ])
    const [height, broad] = [tall * random.between(0.7, 0.98), thick * random.between(0.66, 0.94)]
    const band =
      random.next() < 0.4 ? rect(0, -height * 0.8, broad, height * 0.12, mix(colour, palette.wall, 0.6)) : ''
    const lean = random.next() < 0.1 ? -8 : 0
    return place(at, y, 1, turn(lean, rect(0, -height, broad, height, colour, { rx: 0.15 }), band))
  }
  return upTo(Math.floor(width / thick))
    .map((index) => one(x + index * thick + thick * 0.1))
    .join('')
}
