import { LineChart } from '../charts/charts.tsx'
import { useLocaleName, useMessages } from '../session/session.tsx'
import type { OrganizationDetails } from './portfolio-api.ts'

type Dataset = OrganizationDetails['datasets'][number]

const HEIGHT = 180

/** The currencies of an organization's budgets, in order of their first year. */
const currenciesOf = (datasets: ReadonlyArray<Dataset>): ReadonlyArray<string> => [
  ...new Set(datasets.map(({ budgetCurrency }) => budgetCurrency)),
]

/** The ages of the beneficiaries, once if they are the same in all years, and the videos. */
const Remarks = ({ datasets }: { readonly datasets: ReadonlyArray<Dataset> }) => {
  const { portfolio } = useMessages()
  const agesOf = ({ ageFrom, ageTo }: Dataset) =>
    ageFrom === '' && ageTo === '' ? '' : portfolio.ages(ageFrom, ageTo)
  const [first = '', ...others] = new Set(datasets.map(agesOf))
  const isSame = others.length === 0
  const remarks = datasets.filter((one) => one.vrVideoUrl !== '' || (!isSame && agesOf(one) !== ''))
  return (
    <ul className="year-remarks">
      {isSame && first !== '' && <li>{portfolio.allAges(first)}</li>}
      {remarks.map((one) => (
        <li key={one.year}>
          <strong>{one.year}</strong>
          {!isSame && <span>{agesOf(one)}</span>}
          {one.vrVideoUrl !== '' && (
            <a href={one.vrVideoUrl} rel="noreferrer">
              {portfolio.video(one.year)}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Charts of an organization's figures over the years. */
export const Figures = ({ datasets }: Pick<OrganizationDetails, 'datasets'>) => {
  const { portfolio } = useMessages()
  const locale = useLocaleName()
  if (datasets.length === 0) return <p className="hint">{portfolio.noFigures}</p>
  const shared = {
    labelsTitle: portfolio.year,
    labels: datasets.map(({ year }) => String(year)),
    height: HEIGHT,
  }
  const currencies = currenciesOf(datasets)
  const [currency = ''] = currencies
  const budgets = currencies.map((one) => ({
    name: one,
    values: datasets.map(({ budget, budgetCurrency }) => (budgetCurrency === one ? budget : undefined)),
  }))
  const money = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  return (
    <>
      <div className="figure-grid">
        <LineChart
          {...shared}
          title={portfolio.beneficiaries}
          series={[{ name: portfolio.beneficiaries, values: datasets.map((one) => one.beneficiaries) }]}
        />
        <LineChart
          {...shared}
          title={portfolio.staff}
          series={[{ name: portfolio.staff, values: datasets.map((one) => one.staffHeadcount) }]}
        />
        <LineChart
          {...shared}
          title={currencies.length === 1 ? portfolio.budgetIn(currency) : portfolio.budget}
          series={budgets}
          format={(value) => money.format(value)}
        />
      </div>
      <Remarks datasets={datasets} />
    </>
  )
}
