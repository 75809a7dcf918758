import type { ChartMessages, SeriesSummary } from '../en/charts.ts'

const span = ({ first, last }: SeriesSummary): string => (first === last ? first : `de ${first} à ${last}`)

const spans = (series: ReadonlyArray<SeriesSummary>): string =>
  series.map((one) => (series.length === 1 ? span(one) : `${one.name} : ${span(one)}`)).join(' ; ')

/** The French words of charts. */
export const charts: ChartMessages = {
  charts: {
    table: 'Voir le tableau',
    none: '–',
    empty: 'Il n’y a pas encore de chiffres.',
    summary: (title, series) => `${title} : ${spans(series)}`,
  },
}
