/** One line, or one bar of each group, of a chart. */
interface ChartSeries {
  readonly name: string
  /** A value for each label, at least 0; undefined where there is none. */
  readonly values: ReadonlyArray<number | undefined>
}

/** The figures of a chart, and the words around them. */
export interface ChartData {
  /** The title above the chart: the figures, with their unit. */
  readonly title: string
  /** The head of the first column of the table, such as "Year". */
  readonly labelsTitle: string
  /** The labels of the horizontal axis, in order. They must differ. */
  readonly labels: ReadonlyArray<string>
  /** At most four series. */
  readonly series: ReadonlyArray<ChartSeries>
  /** Writes a value in the table and in the summary; a number with groups of digits unless given. */
  readonly format?: (value: number) => string
  /** Height of the drawing in pixels; 220 unless given. */
  readonly height?: number
}

/** The greatest value of a chart; 0 without values. */
const greatestOf = (series: ReadonlyArray<ChartSeries>): number =>
  series.reduce(
    (most, { values }) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), most),
    0,
  )

/** Steps between two lines of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const

/**
 * Returns the values of an axis that begins at 0 and reaches `greatest`: round whole numbers, at most `most` steps. Without values above 0
 * the axis reaches 1.
 */
export const ticksUpTo = (greatest: number, most = 4): ReadonlyArray<number> => {
  const top = greatest > 0 ? greatest : 1
  const power = 10 ** Math.floor(Math.log10(top / most))
  const isEnough = (step: number) => step * most >= top * (1 - 1e-9) && Number.isInteger(step)
  const step = STEPS.map((one) => one * power).find(isEnough) ?? 10 * power
  const count = Math.ceil((top / step) * (1 - 1e-9))
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

/** Returns every how many labels one is written, so that labels of this many pixels do not touch in a space of `room` pixels. */
export const labelEvery = (count: number, labelWidth: number, room: number): number => {
  const fitting = Math.max(1, Math.floor(room / Math.max(1, labelWidth)))
  return Math.max(1, Math.ceil(count / fitting))
}

/** Pixels of an average character of an axis. */
const CHARACTER = 7
/** Pixels above the highest line, so that its label is whole. */
const TOP = 10
/** Pixels below the lowest line, for the labels. */
const BOTTOM = 28
/** Pixels of a further line of labels. */
const LINE = 14
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
  /** Each label is in one line or more. */
  readonly labels: ReadonlyArray<{ readonly x: number; readonly lines: ReadonlyArray<string> }>
  /** Pixels between two labels. */
  readonly step: number
  readonly xOf: (index: number) => number
  readonly yOf: (value: number) => number
}

/** Returns labels with a line for each word if they would touch in one line and do not in several; else each in one line. */
const linesOf = (labels: ReadonlyArray<string>, room: number): ReadonlyArray<ReadonlyArray<string>> => {
  const inWords = labels.map((label) => label.split(' '))
  const inOneLine = labels.map((label) => [label])
  return everyOf(inWords, room) < everyOf(inOneLine, room) ? inWords : inOneLine
}

/** Returns every how many labels one is written, so that they do not touch. */
const everyOf = (labels: ReadonlyArray<ReadonlyArray<string>>, room: number): number => {
  const longest = Math.max(0, ...labels.flat().map((line) => line.length)) * CHARACTER + GAP
  return labelEvery(labels.length, longest, room)
}

/**
 * Lays out a chart of a width in pixels. Each label has a column, and its values are in the middle of it.
 * @param wraps whether a label may have a line for each word
 */
export const layOut = (
  { labels, series, height: least = HEIGHT }: ChartData,
  width: number,
  tickText: (value: number) => string,
  wraps = false,
): Layout => {
  const values = ticksUpTo(greatestOf(series))
  const texts = values.map(tickText)
  const left = Math.max(...texts.map((text) => text.length)) * CHARACTER + GAP
  const [right, base] = [width, least - BOTTOM]
  const lines = wraps ? linesOf(labels, right - left) : labels.map((label) => [label])
  const height = least + (Math.max(1, ...lines.map(({ length }) => length)) - 1) * LINE
  const most = values.at(-1) ?? 1
  const yOf = (value: number) => base - (value / most) * (base - TOP)
  const step = (right - left) / Math.max(1, labels.length)
  const xOf = (index: number) => left + (index + 0.5) * step
  const every = everyOf(lines, right - left)
  const shown = lines.flatMap((label, index) =>
    index % every === 0 ? [{ x: xOf(index), lines: label }] : [],
  )
  const ticks = values.map((value, at) => ({ y: yOf(value), text: texts[at] ?? '' }))
  return { width, height, left, right, base, ticks, labels: shown, step, xOf, yOf }
}
