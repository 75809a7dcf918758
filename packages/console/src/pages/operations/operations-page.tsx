import { useCallback, useState } from 'react'
import { useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Findings } from './findings.tsx'
import { Hexagon, type Holdings } from './hexagon.tsx'
import { type Statistics, showStatistics } from './operations-api.ts'
import { Providers } from './providers.tsx'
import { StatisticsCharts } from './statistics.tsx'
import { useFigures } from './use-figures.ts'

const sum = (counts: ReadonlyArray<{ readonly count: number }>): number =>
  counts.reduce((total, { count }) => total + count, 0)

const holdingsOf = ({ items, devices }: Statistics): Holdings => ({
  items: sum(items),
  devices: sum(devices),
})

/** What operators watch: the service as a hexagon, findings, push providers, and the service in numbers. */
export const OperationsPage = () => {
  const { operations: words, loading } = useMessages()
  const { live, error: figuresError } = useFigures()
  const { answer, error, reload } = useAnswer('statistics', showStatistics)
  const [run, setRun] = useState(0)
  const again = useCallback(() => setRun((count) => count + 1), [])
  const statistics = answer?.data.statistics
  return (
    <div className="page operations">
      <h1>{words.title}</h1>
      <section aria-labelledby="now-title">
        <h2 id="now-title">{words.now}</h2>
        {figuresError !== undefined && <Problem error={figuresError} />}
        {live === undefined && figuresError === undefined && <p className="loading">{loading}</p>}
        {live !== undefined && <Hexagon live={live} holdings={statistics && holdingsOf(statistics)} />}
      </section>
      <Findings run={run} onAgain={again} />
      <Providers used={live?.figures.adapters.push ?? []} onChange={again} />
      <section aria-labelledby="statistics-title">
        <h2 id="statistics-title">{words.statistics}</h2>
        {error !== undefined && <Problem error={error} onRetry={reload} />}
        {statistics === undefined && error === undefined && <p className="loading">{loading}</p>}
        {statistics !== undefined && <StatisticsCharts statistics={statistics} />}
      </section>
    </div>
  )
}
