import { type ReactNode, useId } from 'react'
import { useLocaleName, useMessages } from '../app/session.tsx'
import type { SeriesSummary } from '../messages/en/charts.ts'
import type { ChartData } from './chart-data.ts'
import { ChartTable } from './chart-table.tsx'
import { type Layout, layOut } from './layout.ts'
import { useWidth } from './use-width.ts'

/** The first and the last value of each series. */
const summaryOf = (
  series: ChartData['series'],
  labels: ReadonlyArray<string>,
  format: (value: number) => string,
): ReadonlyArray<SeriesSummary> =>
  series.map(({ name, values }) => {
    const known = values.flatMap((value, index) =>
      value === undefined ? [] : [`${format(value)} (${labels[index] ?? ''})`],
    )
    return { name, first: known[0] ?? '', last: known.at(-1) ?? '' }
  })

/** The lines and labels of both axes. */
const Axes = ({ layout }: { readonly layout: Layout }) => (
  <g className="chart-axes">
    {layout.ticks.map(({ y, text }) => (
      <g key={y}>
        <line x1={layout.left} x2={layout.right} y1={y} y2={y} />
        <text x={layout.left - 8} y={y} dy="0.35em" textAnchor="end">
          {text}
        </text>
      </g>
    ))}
    {layout.labels.map(({ x, lines }) => (
      <text key={x} y={layout.base + 22} textAnchor="middle">
        {lines.map((line, at) => (
          <tspan key={line} x={x} dy={at === 0 ? 0 : '1.2em'}>
            {line}
          </tspan>
        ))}
      </text>
    ))}
  </g>
)

/** The names of several series, each with its mark. */
const Legend = ({
  series,
  mark,
}: {
  readonly series: ChartData['series']
  readonly mark: (index: number) => ReactNode
}) => (
  <ul className="chart-legend">
    {series.map(({ name }, index) => (
      <li key={name}>
        <svg className={`series-${index}`} width="24" height="16" aria-hidden="true">
          {mark(index)}
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

/**
 * Draws a chart with its title, axes, legend and table. The drawing has the width of the page, and one name for screen readers: the title
 * with the first and the last value of each series.
 */
export const ChartFrame = ({
  data,
  draw,
  mark,
  wraps = false,
}: {
  readonly data: ChartData
  readonly draw: (layout: Layout, format: (value: number) => string) => ReactNode
  /** Draws the mark of a series in the legend, in a box of 24 by 16 pixels. */
  readonly mark: (index: number) => ReactNode
  /** Whether a label of the horizontal axis may have a line for each word. */
  readonly wraps?: boolean
}) => {
  const { charts } = useMessages()
  const locale = useLocaleName()
  const [ref, width] = useWidth()
  const title = useId()
  const plain = new Intl.NumberFormat(locale)
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const { series, labels, format = (value: number) => plain.format(value) } = data
  if (series.every(({ values }) => values.every((value) => value === undefined)))
    return (
      <figure className="chart" aria-labelledby={title}>
        <figcaption id={title}>{data.title}</figcaption>
        <p className="hint">{charts.empty}</p>
      </figure>
    )
  const layout = width > 0 ? layOut(data, width, (value) => short.format(value), wraps) : undefined
  const height = layout?.height ?? data.height
  return (
    <figure className="chart" aria-labelledby={title}>
      <figcaption id={title}>{data.title}</figcaption>
      {series.length > 1 && <Legend series={series} mark={mark} />}
      <div ref={ref} className="chart-space">
        {layout !== undefined && (
          <svg
            role="img"
            aria-label={charts.summary(data.title, summaryOf(series, labels, format))}
            width={width}
            height={height}
          >
            <Axes layout={layout} />
            {draw(layout, format)}
          </svg>
        )}
      </div>
      <ChartTable {...data} format={format} />
    </figure>
  )
}
