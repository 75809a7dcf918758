import { useCallback, useState } from 'react'
import { BarChart, LineChart } from '../charts/charts.tsx'
import { useAnswer, useOnce } from '../session/answers.ts'
import { useLocaleName, useMessages } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'
import { Hexagon, type Holdings } from './hexagon.tsx'
import { type Finding, listFindings, type Statistics, showStatistics, useFigures } from './operations-api.ts'
import { Providers } from './providers.tsx'

const WHOLE = new AbortController().signal

const FindingEntry = ({ finding: { check, level, code, values } }: { readonly finding: Finding }) => {
  const { checks, findings, operations: words } = useMessages()
  if (level === 'ok' || code === 'in-order') return null
  const { what, fix } = findings[code](Object.fromEntries(values.map(({ name, text }) => [name, text])))
  return (
    <li className={`finding ${level}`}>
      <p className="meta">
        <span className="finding-level">{words.levels[level]}</span>
        <span>{checks[check] ?? check}</span>
      </p>
      <p>
        <strong>{what}</strong>
      </p>
      <p>{fix}</p>
    </li>
  )
}

const RANK: Readonly<Record<Finding['level'], number>> = { fault: 0, warning: 1, ok: 2 }

const Found = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => {
  const { checks, operations: words } = useMessages()
  const open = findings.filter(({ level }) => level !== 'ok')
  const names = [...new Set(findings.map(({ check }) => check))]
  const inOrder = names.filter((name) => open.every(({ check }) => check !== name))
  return (
    <>
      {open.length === 0 && (
        <p className="all-well">
          <Icon name="check" />
          {words.allWell}
        </p>
      )}
      <ul className="findings">
        {open
          .toSorted((a, b) => RANK[a.level] - RANK[b.level])
          .map((finding) => (
            <FindingEntry key={`${finding.check} ${JSON.stringify(finding.values)}`} finding={finding} />
          ))}
      </ul>
      {inOrder.length > 0 && (
        <details className="in-order">
          <summary>{words.inOrder(inOrder.length)}</summary>
          <ul>
            {inOrder.map((name) => (
              <li key={name}>{checks[name] ?? name}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** What the checks of the service find, the most urgent first, each with its fix. `run` changes when they shall run again. */
const Findings = ({ run, onAgain }: { readonly run: number; readonly onAgain: () => void }) => {
  const { operations: words } = useMessages()
  const { data, error, retry } = useOnce(`findings ${run}`, () => listFindings(WHOLE))
  const isChecking = data === undefined && error === undefined
  return (
    <section aria-labelledby="findings-title" aria-busy={isChecking}>
      <div className="page-head">
        <h2 id="findings-title">{words.findings}</h2>
        <Button onPress={onAgain} isDisabled={isChecking}>
          {words.again}
        </Button>
      </div>
      {error !== undefined && <Problem error={error} onRetry={retry} />}
      {isChecking && <p className="loading">{words.checking}</p>}
      {data !== undefined && <Found findings={data.data.findings.map(({ finding }) => finding)} />}
    </section>
  )
}

const OUTCOMES = ['delivered', 'failed', 'dead', 'skipped'] as const
const STATUSES = ['Live', 'Draft', 'Archived'] as const

const useDay = () => {
  const format = new Intl.DateTimeFormat(useLocaleName(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (day: string) => format.format(new Date(day))
}

const Deliveries = ({ days }: { readonly days: Statistics['deliveries']['days'] }) => {
  const { operations: words } = useMessages()
  const dayOf = useDay()
  return (
    <LineChart
      title={words.deliveries}
      labelsTitle={words.day}
      labels={days.map(({ day }) => dayOf(day))}
      series={OUTCOMES.map((outcome) => ({
        name: words.outcomes[outcome],
        values: days.map((one) => one[outcome]),
      }))}
    />
  )
}

const Devices = ({ devices }: { readonly devices: Statistics['devices'] }) => {
  const { operations: words } = useMessages()
  const nameOf = (kind: string) =>
    kind === 'unroutable' ? words.unroutable : (words.shortNames[kind] ?? kind)
  return (
    <BarChart
      title={words.devicesTitle}
      labelsTitle={words.provider}
      labels={devices.map(({ kind }) => nameOf(kind))}
      series={[{ name: words.count, values: devices.map(({ count }) => count) }]}
    />
  )
}

const Content = ({ items }: { readonly items: Statistics['items'] }) => {
  const { operations: words, status } = useMessages()
  const groups = (['library', 'feed'] as const).flatMap((contentType) =>
    (['en', 'fr'] as const).map((lang) => ({ contentType, lang })),
  )
  return (
    <BarChart
      title={words.content}
      labelsTitle={words.kind}
      labels={groups.map(({ contentType, lang }) => `${words.contentOf[contentType]} ${lang.toUpperCase()}`)}
      series={STATUSES.map((one) => ({
        name: status[one],
        values: groups.map(
          ({ contentType, lang }) =>
            items.find(
              (item) => item.contentType === contentType && item.lang === lang && item.status === one,
            )?.count ?? 0,
        ),
      }))}
    />
  )
}

/** Content, devices and deliveries as charts, each with a table behind. */
const StatisticsCharts = ({ statistics }: { readonly statistics: Statistics }) => (
  <div className="charts">
    <Deliveries days={statistics.deliveries.days} />
    <Devices devices={statistics.devices} />
    <Content items={statistics.items} />
  </div>
)

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
