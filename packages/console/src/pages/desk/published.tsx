import { BarChart } from '../../charts/charts.tsx'
import { useAnswer } from '../../session/answers.ts'
import { useLocaleName, useMessages } from '../../session/session.tsx'
import { readPublished } from './desk-api.ts'

const LANGUAGES = ['en', 'fr'] as const

/** Publications and posts of the last twelve months by language, as charts with a table behind each. Absent before the first one. */
export const Published = () => {
  const { desk: words, languages } = useMessages()
  const format = new Intl.DateTimeFormat(useLocaleName(), { month: 'short', timeZone: 'UTC' })
  const months = useAnswer('published', readPublished).answer?.data.published.months ?? []
  if (months.every(({ library, feed }) => library.en + library.fr + feed.en + feed.fr === 0)) return null
  const chartOf = (contentType: 'library' | 'feed', title: string) => (
    <BarChart
      title={title}
      labelsTitle={words.month}
      labels={months.map(({ month }) => format.format(new Date(month)))}
      series={LANGUAGES.map((lang) => ({
        name: languages[lang],
        values: months.map((one) => one[contentType][lang]),
      }))}
      height={180}
    />
  )
  return (
    <section aria-labelledby="published-title">
      <h2 id="published-title">{words.published}</h2>
      <div className="charts">
        {chartOf('library', words.publications)}
        {chartOf('feed', words.posts)}
      </div>
    </section>
  )
}
