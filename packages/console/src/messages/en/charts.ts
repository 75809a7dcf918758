/** The first and the last value of a series, in words. */
export interface SeriesSummary {
  readonly name: string
  readonly first: string
  readonly last: string
}

const span = ({ first, last }: SeriesSummary): string => (first === last ? first : `from ${first} to ${last}`)

const spans = (series: ReadonlyArray<SeriesSummary>): string =>
  series.map((one) => (series.length === 1 ? span(one) : `${one.name}: ${span(one)}`)).join('; ')

/** The English words of charts. */
export const charts = {
  charts: {
    table: 'Show as a table',
    none: '–',
    empty: 'There are no figures yet.',
    summary: (title: string, series: ReadonlyArray<SeriesSummary>) => `${title}: ${spans(series)}`,
  },
}

export type ChartMessages = typeof charts
