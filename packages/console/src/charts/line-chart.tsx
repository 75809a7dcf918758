import type { ReactNode } from 'react'
import type { ChartData } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import type { Layout } from './layout.ts'

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
