import { element } from './svg.ts'

/** Hands out paint: each method answers a `url(#…)` to fill a shape with, and remembers its definition. */
export type Gradients = {
  /** From the top of a shape to its bottom. */
  readonly down: (...colours: readonly string[]) => string
  /** From the left of a shape to its right. */
  readonly across: (...colours: readonly string[]) => string
  /** Full in the middle, gone at the rim: light, mist and soft shadows. */
  readonly glow: (colour: string, opacity: number) => string
  readonly definitions: () => string
}

const stops = (colours: readonly string[]): string =>
  colours
    .map((colour, at) =>
      element('stop', { offset: at / Math.max(colours.length - 1, 1), 'stop-color': colour }),
    )
    .join('')

const falloff: readonly (readonly [offset: number, share: number])[] = [
  [0, 1],
  [0.35, 0.62],
  [0.7, 0.18],
  [1, 0],
]

export const makeGradients = (): Gradients => {
  const known = new Map<string, { readonly id: string; readonly markup: string }>()
  const remember = (key: string, define: (id: string) => string): string => {
    const id = known.get(key)?.id ?? `paint${known.size}`
    if (!known.has(key)) known.set(key, { id, markup: define(id) })
    return `url(#${id})`
  }
  return {
    down: (...colours) =>
      remember(`down ${colours.join()}`, (id) =>
        element('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, stops(colours)),
      ),
    across: (...colours) =>
      remember(`across ${colours.join()}`, (id) => element('linearGradient', { id }, stops(colours))),
    glow: (colour, opacity) =>
      remember(`glow ${colour} ${opacity}`, (id) =>
        element(
          'radialGradient',
          { id },
          ...falloff.map(([offset, share]) =>
            element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity * share }),
          ),
        ),
      ),
    definitions: () => element('defs', {}, ...[...known.values()].map(({ markup }) => markup)),
  }
}
