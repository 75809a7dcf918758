/** The feed's size. */
export const WIDTH = 400
export const HEIGHT = 560

export type Colour = readonly [number, number, number]

/** What stands in the corners: top left, top right, bottom left, bottom right. */
export type Corners = readonly [Colour, Colour, Colour, Colour]

const RED: Colour = [220, 30, 30]
const GREEN: Colour = [30, 160, 60]
const BLUE: Colour = [30, 60, 200]
const WHITE: Colour = [240, 240, 240]

/** The picture that most of the corpus shows, upright. */
export const FOUR_COLOURS: Corners = [RED, GREEN, BLUE, WHITE]

/**
 * The same corners as they are stored for an EXIF orientation, after the table of the EXIF standard: where the first row
 * and the first column of the stored picture belong.
 */
export const STORED_CORNERS: Readonly<Record<number, Corners>> = {
  1: [RED, GREEN, BLUE, WHITE],
  2: [GREEN, RED, WHITE, BLUE],
  3: [WHITE, BLUE, GREEN, RED],
  4: [BLUE, WHITE, RED, GREEN],
  5: [RED, BLUE, GREEN, WHITE],
  6: [GREEN, WHITE, RED, BLUE],
  7: [WHITE, GREEN, BLUE, RED],
  8: [BLUE, RED, WHITE, GREEN],
}

/** Numbers from 0 to 255 that look random and are the same on every run. */
export const randomBytes = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  }
}

export const noise = (length: number, seed = 1): Buffer => {
  const next = randomBytes(seed)
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = next()
  return bytes
}

/** Pixels without padding, RGB of 8 bits: four colours with a little noise, so that files have some length. */
export const pixelsOf = (width: number, height: number, corners: Corners = FOUR_COLOURS): Buffer => {
  const next = randomBytes(7)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const right = at % width >= width / 2 ? 1 : 0
    const low = Math.floor(at / width) >= height / 2 ? 2 : 0
    const colour = corners[right + low] ?? WHITE
    pixels[at * 3] = colour[0] + (next() % 9) - 4
    pixels[at * 3 + 1] = colour[1] + (next() % 9) - 4
    pixels[at * 3 + 2] = colour[2] + (next() % 9) - 4
  }
  return pixels
}

/** Width and height as stored, so that the orientation makes them the feed's. */
export const storedSize = (orientation: number) =>
  orientation >= 5 ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT }
