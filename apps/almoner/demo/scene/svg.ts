/** The few SVG elements the illustrations are made of, as functions from numbers to markup. */
export type Attributes = Readonly<Record<string, string | number>>

/** Two decimals are finer than any pixel, and keep the output short and equal on every machine. */
const rounded = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

export const element = (name: string, attributes: Attributes, ...children: readonly string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`)
  return `<${name}${written.join('')}>${children.join('')}</${name}>`
}

/** Writes path data with rounded numbers: d`M${x},${y}h${width}`. */
export const d = (parts: TemplateStringsArray, ...numbers: readonly number[]): string =>
  String.raw({ raw: parts }, ...numbers.map(rounded))

/**
 * What is seen through, painted as such. The opacity of an element asks for a canvas of its own, half the time of a whole picture;
 * where an element is one paint only, that of the paint comes to the same.
 */
const onePaint = (paint: 'fill' | 'stroke', { opacity, ...more }: Attributes): Attributes =>
  opacity === undefined ? more : { ...more, [`${paint}-opacity`]: opacity }

const filled = (name: string, place: Attributes, fill: string, more: Attributes): string =>
  element(name, { ...place, fill, ...('stroke' in more ? more : onePaint('fill', more)) })

export const path = (data: string, fill: string, more: Attributes = {}): string =>
  filled('path', { d: data }, fill, more)

export const stroke = (data: string, colour: string, width: number, more: Attributes = {}): string =>
  element('path', {
    d: data,
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    ...onePaint('stroke', more),
  })

export const circle = (cx: number, cy: number, r: number, fill: string, more: Attributes = {}): string =>
  filled('circle', { cx, cy, r }, fill, more)

export const ellipse = (
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  fill: string,
  more: Attributes = {},
): string => filled('ellipse', { cx, cy, rx, ry }, fill, more)

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more: Attributes = {},
): string => filled('rect', { x, y, width, height }, fill, more)

/** Everything inside is drawn around (0, 0) and lands at (x, y), `scale` times as large. */
export const place = (x: number, y: number, scale: number, ...children: readonly string[]): string =>
  element('g', { transform: d`translate(${x} ${y}) scale(${scale})` }, ...children)

export const turn = (degrees: number, ...children: readonly string[]): string =>
  element('g', { transform: d`rotate(${degrees})` }, ...children)

/** Mirrors left and right when the side is -1. */
export const facing = (side: -1 | 1, ...children: readonly string[]): string =>
  element('g', { transform: `scale(${side} 1)` }, ...children)

export const fainter = (opacity: number, ...children: readonly string[]): string =>
  element('g', { opacity }, ...children)

/** Turns everything upside down and squashes it, as water does. */
export const mirrored = (squash: number, ...children: readonly string[]): string =>
  element('g', { transform: d`scale(1 ${-squash})` }, ...children)
