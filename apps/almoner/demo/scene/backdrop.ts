import { upTo } from './curve.ts'
import { mound, peaks, ridge, tufts } from './land.ts'
import { heavens } from './sky.ts'
import type { Stage } from './stage.ts'
import { grove } from './trees.ts'

/** The open country behind most subjects: sky, peaks, three ranges of hills and the mound to stand on. */
export const country = (stage: Stage, rise: number, verge = 4): string => {
  const { palette, random, width, height, unit } = stage
  const [far, middle, near, ground] = palette.hills
  const side = random.side()
  const woods = (y: number, count: number, size: number): string =>
    grove(stage, count, () => [
      random.next() * width,
      (y + random.between(-0.008, 0.02)) * height,
      size * unit * random.between(0.7, 1.1),
    ])
  return [
    heavens(stage, 0.5 + side * random.between(0.2, 0.3), random.between(0.17, 0.26)),
    random.next() < 0.6 ? peaks(stage, 0.62, 22, far) : ridge(stage, 0.47, 7, far),
    ridge(stage, 0.56, 6, far),
    ridge(stage, 0.63, 5, middle),
    woods(0.665, 9, 0.42),
    ridge(stage, 0.7, 4, near),
    mound(stage, rise, ground),
    tufts(stage, 26, verge),
  ].join('')
}

/** Trees to the left and right of the subject, out to the edges of the frame. */
export const flanks = (stage: Stage, clear: number, count: number): string => {
  const { width, centre, ground, unit, random } = stage
  const places = upTo(count).flatMap((index) => {
    const side = index % 2 === 0 ? -1 : 1
    const room = (side < 0 ? centre : width - centre) / unit - clear
    return room < 2 ? [] : [side * (clear + random.next() * room)]
  })
  return grove(stage, places.length, (index) => [
    centre + (places[index] ?? 0) * unit,
    ground + random.between(-0.5, 5) * unit,
    unit * random.between(1.1, 1.8),
  ])
}
