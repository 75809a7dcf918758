import type { ChartData } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'

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
