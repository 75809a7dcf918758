import { type ReactNode, type RefCallback, useCallback, useId, useState } from 'react'
import type { SeriesSummary } from '../messages/en/app.ts'
import { useLocaleName, useMessages } from '../session/session.tsx'
import { type ChartData, type Layout, layOut } from './layout.ts'

/** The figures of a chart as a table, closed at first. */
const ChartTable = ({
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

/** Measures the width of an element in whole pixels, again whenever it changes. It is 0 until the element is in the page. */
export const useWidth = (): readonly [ref: RefCallback<HTMLElement>, width: number] => {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

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
const ChartFrame = ({
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

/** The part of a column that its bars take. */
const FILLED = 0.7
/** The widest bar, in pixels. */
const WIDEST = 48

/** A bar for each value, those of the same label beside each other. For figures that are counted by kind or by period. */
export const BarChart = (data: ChartData) => {
  const count = data.series.length
  return (
    <ChartFrame
      data={data}
      wraps
      draw={({ xOf, yOf, base, step }, format) => {
        const width = Math.max(1, Math.min(WIDEST, (step * FILLED) / count))
        return data.series.map(({ name, values }, index) => (
          <g key={name} className={`series-${index}`}>
            {values.map((value, at) => {
              if (value === undefined) return null
              const x = xOf(at) + (index - count / 2) * width
              return (
                <rect
                  key={data.labels[at]}
                  className="chart-bar"
                  x={x}
                  y={yOf(value)}
                  width={width}
                  height={base - yOf(value)}
                >
                  <title>{`${data.labels[at]}: ${format(value)}`}</title>
                </rect>
              )
            })}
          </g>
        ))
      }}
      mark={() => <rect className="chart-bar" x="4" y="1" width="16" height="14" />}
    />
  )
}

const RADIUS = 4

/** Above this many labels, points are left out: the line alone is clearer. */
const MOST_POINTS = 40

/** The marks of the series, in the order of series: they differ in form as well as in colour. */
const POINTS: ReadonlyArray<(x: number, y: number) => ReactNode> = [
  (x, y) => <circle cx={x} cy={y} r={RADIUS} />,
  (x, y) => <rect x={x - RADIUS} y={y - RADIUS} width={2 * RADIUS} height={2 * RADIUS} />,
  (x, y) => <path d={`M${x} ${y - RADIUS - 1}l${RADIUS + 1} ${2 * RADIUS}h${-2 * RADIUS - 2}z`} />,
  (x, y) => <path d={`M${x} ${y - RADIUS - 1}l5 5-5 5-5-5z`} />,
]

const pointOf = (index: number, x: number, y: number): ReactNode => POINTS[index % POINTS.length]?.(x, y)

/** Returns the path through the known values. Unknown values interrupt it. */
const pathOf = (values: ChartData['series'][number]['values'], { xOf, yOf }: Layout): string =>
  values
    .map((value, index) => {
      if (value === undefined) return ''
      const command = values[index - 1] === undefined ? 'M' : 'L'
      return `${command}${xOf(index).toFixed(1)} ${yOf(value).toFixed(1)}`
    })
    .join('')

/** A line for each series, with a point for each value. For figures that follow each other in time. */
export const LineChart = (data: ChartData) => (
  <ChartFrame
    data={data}
    draw={(layout, format) =>
      data.series.map(({ name, values }, index) => (
        <g key={name} className={`series-${index}`}>
          <path className="chart-line" d={pathOf(values, layout)} />
          {data.labels.length <= MOST_POINTS &&
            values.map((value, at) =>
              value === undefined ? null : (
                <g key={data.labels[at]} className="chart-point">
                  <title>{`${data.labels[at]}: ${format(value)}`}</title>
                  {pointOf(index, layout.xOf(at), layout.yOf(value))}
                </g>
              ),
            )}
        </g>
      ))
    }
    mark={(index) => (
      <>
        <path className="chart-line" d="M0 8h24" />
        <g className="chart-point">{pointOf(index, 12, 8)}</g>
      </>
    )}
  />
)
