/** A rectangle of the window, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Something that should not be covered, and how bad it would be. */
export interface Obstacle extends Box {
  readonly weight: number
}

/** Pixels between two places that are tried. */
const STEP = 8

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height

/**
 * Returns the place in an area for something of a size that covers no obstacle: the lowest one, in the middle if it can be. If there is none, the
 * place where the obstacles that are covered weigh least.
 */
export const freePlace = (
  area: Box,
  { width, height }: Pick<Box, 'width' | 'height'>,
  obstacles: ReadonlyArray<Obstacle>,
): Box => {
  const room = Math.max(0, area.width - width)
  let best: { readonly box: Box; readonly weight: number } | undefined
  for (let top = area.top + Math.max(0, area.height - height); top >= area.top; top -= STEP)
    for (const left of [area.left + room / 2, area.left + room, area.left]) {
      const box = { left, top, width, height }
      const weight = obstacles.reduce((sum, one) => sum + (overlap(box, one) ? one.weight : 0), 0)
      if (weight === 0) return box
      if (best === undefined || weight < best.weight) best = { box, weight }
    }
  return best?.box ?? { left: area.left, top: area.top, width, height }
}
