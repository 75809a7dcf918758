import { element } from '../../scene/svg.ts'
import { compact } from './compact.ts'

/** The size of a picture in pixels. */
export type Frame = { readonly width: number; readonly height: number }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Frames what was drawn as an SVG file, with the name that is read to those who do not see it. */
export const picture = ({ width, height }: Frame, name: string, ...drawn: readonly string[]): string => {
  const frame = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` }
  return `${compact(element('svg', frame, element('title', {}, escaped(name)), ...drawn))}\n`
}
