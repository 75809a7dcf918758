import { useMessages } from '../app/session.tsx'
import type { ChartData } from './chart-data.ts'

/** The figures of a chart as a table, closed at first. */
export const ChartTable = ({
  title,
  labelsTitle,
  labels,
  series,
  format,
}: Omit<ChartData, 'format' | 'height'> & { readonly format: (value: number) => string }) => {
  const { charts } = useMessages()
  return (
    <details className="chart-table">
      <summary>{charts.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="chart-scroll" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{labelsTitle}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => {
                  const value = values[index]
                  return <td key={name}>{value === undefined ? charts.none : format(value)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
