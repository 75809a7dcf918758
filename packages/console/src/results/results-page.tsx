import { BarChart } from '../charts/charts.tsx'
import { useLabelNames } from '../content/items-api.ts'
import { useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { goTo, useUrl, withQuery } from '../session/router.ts'
import { useLocaleName, useMessages } from '../session/session.tsx'
import { Button, Icon, SelectField } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'
import { csvOf, type Table } from './csv.ts'

/** Reads what was published and sent by month, and whom the service reaches. */
const readResults = (signal: AbortSignal) => consoleApi.get('/results', { signal })

type Results = Awaited<ReturnType<typeof readResults>>['data']['results']
type Month = Results['months'][number]

const LANGUAGES = ['en', 'fr'] as const
const OUTCOMES = ['delivered', 'failed', 'dead', 'skipped'] as const

/** Months that are shown unless a year is chosen. */
const RECENT = 12

/** Returns the months of a period: a year, or the last twelve months. */
export const monthsIn = (months: ReadonlyArray<Month>, period: string): ReadonlyArray<Month> =>
  period === '' ? months.slice(-RECENT) : months.filter(({ month }) => month.startsWith(`${period}-`))

/** Returns the years that have months, the latest first. */
export const yearsIn = (months: ReadonlyArray<Month>): ReadonlyArray<string> =>
  [...new Set(months.map(({ month }) => month.slice(0, 4)))].toReversed()

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** Milliseconds for which a file that is offered for download is there. */
const KEPT = 60_000

/** Offers a table for download. */
const downloadTable = (name: string, table: Table): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(table)], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT)
}

/** Figures with their table, which can be saved as CSV. */
const Figures = ({
  name,
  title,
  table,
  hint,
  children,
}: {
  /** The name of the file. */
  readonly name: string
  readonly title: string
  readonly table: Table
  readonly hint?: string
  readonly children?: React.ReactNode
}) => {
  const { results: words } = useMessages()
  const format = new Intl.NumberFormat(useLocaleName())
  const isEmpty = table.rows.every((row) => row.every((cell) => typeof cell === 'string' || cell === 0))
  return (
    <section className="figures" aria-labelledby={`figures-${name}`}>
      <div className="page-head">
        <h2 id={`figures-${name}`}>{title}</h2>
        {!isEmpty && (
          <Button aria-label={words.csvLabel(title)} onPress={() => downloadTable(name, table)}>
            <Icon name="download" />
            {words.csv}
          </Button>
        )}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {isEmpty ? (
        <p className="hint">{words.none}</p>
      ) : (
        <>
          {children}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="chart-scroll" aria-label={title} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {table.columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map(([first = '', ...cells]) => (
                  <tr key={first}>
                    <th scope="row">{first}</th>
                    {cells.map((cell, at) => (
                      <td key={table.columns[at + 1]}>
                        {typeof cell === 'number' ? format.format(cell) : cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </section>
  )
}

/** Live entries of a content type by month and language. */
const Published = ({
  contentType,
  months,
  monthOf,
}: {
  readonly contentType: 'library' | 'feed'
  readonly months: ReadonlyArray<Month>
  readonly monthOf: (month: string) => string
}) => {
  const { results: words, languages } = useMessages()
  const rows = months.map((one) => [monthOf(one.month), one[contentType].en, one[contentType].fr] as const)
  const total = LANGUAGES.map((lang) => sum(months.map((one) => one[contentType][lang])))
  return (
    <Figures
      name={contentType}
      title={words.published[contentType]}
      hint={words.publishedHint[contentType]}
      table={{
        columns: [words.month, languages.en, languages.fr],
        rows: [...rows, [words.total, ...total]],
      }}
    >
      <BarChart
        title={words.byLanguage}
        labelsTitle={words.month}
        labels={rows.map(([label]) => label)}
        series={LANGUAGES.map((lang) => ({
          name: languages[lang],
          values: months.map((one) => one[contentType][lang]),
        }))}
        height={180}
      />
    </Figures>
  )
}

/** Notifications by month: how many, and what became of their devices. */
const Sent = ({
  months,
  monthOf,
}: {
  readonly months: ReadonlyArray<Month>
  readonly monthOf: (month: string) => string
}) => {
  const { results: words } = useMessages()
  const both = (one: Month, name: keyof Month['sent']['en']) => one.sent.en[name] + one.sent.fr[name]
  const columns = ['notifications', ...OUTCOMES] as const
  const rows = months.map((one) => [monthOf(one.month), ...columns.map((name) => both(one, name))] as const)
  const total = columns.map((name) => sum(months.map((one) => both(one, name))))
  return (
    <Figures
      name="notifications"
      title={words.sent}
      hint={words.sentHint}
      table={{
        columns: [words.month, words.notifications, ...OUTCOMES.map((outcome) => words.outcomes[outcome])],
        rows: [...rows, [words.total, ...total]],
      }}
    >
      <BarChart
        title={words.devicesOfMonth}
        labelsTitle={words.month}
        labels={months.map(({ month }) => monthOf(month))}
        series={OUTCOMES.map((outcome) => ({
          name: words.outcomes[outcome],
          values: months.map((one) => both(one, outcome)),
        }))}
        height={180}
      />
    </Figures>
  )
}

/** Devices by kind, as they are now. */
const Devices = ({ devices }: { readonly devices: Results['devices'] }) => {
  const { results: words, operations } = useMessages()
  const nameOf = (kind: string) =>
    kind === 'unroutable' ? operations.unroutable : (operations.names[kind] ?? kind)
  const rows = devices.toSorted((a, b) => b.count - a.count).map(({ kind, count }) => [nameOf(kind), count])
  return (
    <Figures
      name="devices"
      title={words.devices}
      table={{ columns: [words.kind, operations.count], rows: rows as Table['rows'] }}
    />
  )
}

/** People by language, and by the labels that they follow, as they are now. */
const People = ({ people, topics }: Pick<Results, 'people' | 'topics'>) => {
  const { results: words, languages } = useMessages()
  const nameOf = useLabelNames()
  const peopleOf = (lang: string, isSubscribed: boolean) =>
    sum(
      people.filter((one) => one.lang === lang && one.subscribed === isSubscribed).map(({ count }) => count),
    )
  const followers = (labelId: string, lang: string) =>
    sum(topics.filter((one) => one.labelId === labelId && one.lang === lang).map(({ count }) => count))
  const labelIds = [...new Set(topics.map(({ labelId }) => labelId))].toSorted()
  return (
    <>
      <Figures
        name="people"
        title={words.people}
        hint={words.peopleHint}
        table={{
          columns: [words.language, words.subscribed, words.unsubscribed],
          rows: LANGUAGES.map((lang) => [languages[lang], peopleOf(lang, true), peopleOf(lang, false)]),
        }}
      />
      <Figures
        name="topics"
        title={words.topics}
        hint={words.topicsHint}
        table={{
          columns: [words.topic, languages.en, languages.fr],
          rows: labelIds.map((labelId) => [
            labelId === '' ? words.everything : nameOf(labelId),
            followers(labelId, 'en'),
            followers(labelId, 'fr'),
          ]),
        }}
      />
    </>
  )
}

/** What was published and sent by month, and whom the service reaches: each table can be saved, and the page printed. */
export const ResultsPage = () => {
  const { results: words, loading } = useMessages()
  const url = useUrl()
  const { answer, error, reload } = useAnswer('results', readResults)
  const format = new Intl.DateTimeFormat(useLocaleName(), {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const monthOf = (month: string) => format.format(new Date(month))
  const period = url.searchParams.get('year') ?? ''
  const found = answer?.data.results
  const months = monthsIn(found?.months ?? [], period)
  return (
    <div className="page results">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Button onPress={() => print()}>{words.print}</Button>
      </div>
      <SelectField
        label={words.period}
        value={period}
        options={[
          { value: '', label: words.recent },
          ...yearsIn(found?.months ?? []).map((year) => ({ value: year, label: year })),
        ]}
        onChange={(year) => goTo(withQuery(url, { year }), 'replace')}
      />
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {found === undefined && error === undefined && <p className="loading">{loading}</p>}
      {found !== undefined && (
        <>
          <Published contentType="library" months={months} monthOf={monthOf} />
          <Published contentType="feed" months={months} monthOf={monthOf} />
          <Sent months={months} monthOf={monthOf} />
          <Devices devices={found.devices} />
          <People people={found.people} topics={found.topics} />
        </>
      )}
    </div>
  )
}
