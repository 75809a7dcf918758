import { BarChart, LineChart } from '../../charts/charts.tsx'
import { useLocaleName, useMessages } from '../../session/session.tsx'
import type { Statistics } from './operations-api.ts'

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
export const StatisticsCharts = ({ statistics }: { readonly statistics: Statistics }) => (
  <div className="charts">
    <Deliveries days={statistics.deliveries.days} />
    <Devices devices={statistics.devices} />
    <Content items={statistics.items} />
  </div>
)
