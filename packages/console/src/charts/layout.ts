import { type ChartData, greatestOf } from './chart-data.ts'
import { labelEvery, ticksUpTo } from './scale.ts'

/** Pixels of an average character of an axis. */
const CHARACTER = 7
/** Pixels above the highest line, so that its label is whole. */
const TOP = 10
/** Pixels below the lowest line, for the labels. */
const BOTTOM = 28
/** Pixels between an axis and its labels. */
const GAP = 8
const HEIGHT = 220

/** Where the parts of a drawing are, in pixels from its upper left corner. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  /** The lowest line, which is 0. */
  readonly base: number
  readonly ticks: ReadonlyArray<{ readonly y: number; readonly text: string }>
  readonly labels: ReadonlyArray<{ readonly x: number; readonly text: string }>
  /** Pixels between two labels. */
  readonly step: number
  readonly xOf: (index: number) => number
  readonly yOf: (value: number) => number
}

/** Lays out a chart of a width in pixels. Each label has a column, and its values are in the middle of it. */
export const layOut = (
  { labels, series, height = HEIGHT }: ChartData,
  width: number,
  tickText: (value: number) => string,
): Layout => {
  const values = ticksUpTo(greatestOf(series))
  const texts = values.map(tickText)
  const left = Math.max(...texts.map((text) => text.length)) * CHARACTER + GAP
  const [right, base] = [width, height - BOTTOM]
  const most = values.at(-1) ?? 1
  const yOf = (value: number) => base - (value / most) * (base - TOP)
  const step = (right - left) / Math.max(1, labels.length)
  const xOf = (index: number) => left + (index + 0.5) * step
  const longest = Math.max(0, ...labels.map((label) => label.length)) * CHARACTER + GAP
  const every = labelEvery(labels.length, longest, right - left)
  const shown = labels.flatMap((text, index) => (index % every === 0 ? [{ x: xOf(index), text }] : []))
  const ticks = values.map((value, at) => ({ y: yOf(value), text: texts[at] ?? '' }))
  return { width, height, left, right, base, ticks, labels: shown, step, xOf, yOf }
}
