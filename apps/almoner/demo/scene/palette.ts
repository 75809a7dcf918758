import { mix } from './colour.ts'

/** Colours by the part they play, so that every motif works with every palette. */
export type Palette = {
  readonly sky: readonly [top: string, bottom: string]
  readonly sun: string
  readonly hills: readonly [far: string, middle: string, near: string, ground: string]
  readonly water: readonly [light: string, deep: string]
  readonly leaf: readonly [light: string, dark: string]
  readonly wall: string
  readonly roof: string
  readonly bright: string
  readonly ink: string
  readonly tree: 'round' | 'poplar' | 'pine' | 'acacia' | 'palm'
  /** After sunset: stars come out and windows are lit. */
  readonly dark: boolean
}

/** What a palette becomes when the sun has gone, for motifs that need stars. */
export const afterSunset = (palette: Palette): Palette => {
  if (palette.dark) return palette
  const deepen = (colour: string, share: number): string =>
    mix(colour, mix(palette.ink, '#0e1b45', 0.75), share)
  return {
    ...palette,
    sky: [mix(palette.ink, '#0e1b45', 0.8), mix('#335894', palette.hills[2], 0.22)],
    hills: [
      deepen(palette.hills[0], 0.6),
      deepen(palette.hills[1], 0.68),
      deepen(palette.hills[2], 0.74),
      deepen(palette.hills[3], 0.8),
    ],
    leaf: [deepen(palette.leaf[0], 0.45), deepen(palette.leaf[1], 0.55)],
    dark: true,
  }
}
