/** One line, or one bar of each group, of a chart. */
export interface ChartSeries {
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
export const greatestOf = (series: ReadonlyArray<ChartSeries>): number =>
  series.reduce(
    (most, { values }) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), most),
    0,
  )
