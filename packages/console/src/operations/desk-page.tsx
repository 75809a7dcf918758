import { BarChart } from '../charts/charts.tsx'
import { pathOfCopy } from '../content/editor/copy-notices.tsx'
import { type CopySummary, listCopies } from '../content/editor/copy-writer.ts'
import { nameOf, useFieldNames } from '../content/history/field-changes.tsx'
import { pathOf } from '../content/items.ts'
import { listDeadLinks } from '../content/items-api.ts'
import { FailedProposals } from '../content/proposals/share.tsx'
import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { Icon, type IconName } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'

/** Reads the desk of a day in a time zone, with the person's working copies. */
const readDesk = async (timeZone: string, signal: AbortSignal) => {
  const [{ data, ...rest }, copies] = await Promise.all([
    consoleApi.get('/desk', { query: { timeZone }, signal }),
    listCopies(signal),
  ])
  return { ...rest, data: { ...data, copies } }
}

/** Reads how much was published in each of the last twelve months. */
const readPublished = (signal: AbortSignal) => consoleApi.get('/published', { signal })

/** What waits for a content manager. */
type Desk = Awaited<ReturnType<typeof readDesk>>['data']['desk']

/** The notifications of today, with their time in the service's time zone. */
const Today = ({ notifications }: { readonly notifications: Desk['today'] }) => {
  const { desk: words, languages } = useMessages()
  const timeOf = useMoment({ timeStyle: 'short' })
  if (notifications.length === 0) return <p className="hint">{words.todayEmpty}</p>
  return (
    <ul className="due">
      {notifications.map(({ notificationId, sendAt, title, lang, state }) => (
        <li key={notificationId}>
          <time dateTime={sendAt}>{timeOf(sendAt)}</time>
          <a href={at(`/console/notifications/${notificationId}`)} lang={lang}>
            {title}
          </a>
          <span className="hint">
            {languages[lang]} · {words.states[state]}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The notifications that could not be delivered, with the reason. */
const Failed = ({ notifications }: { readonly notifications: Desk['failed'] }) => {
  const { colon, desk: words } = useMessages()
  if (notifications.length === 0) return null
  return (
    <section className="notice problem" aria-labelledby="failed-title">
      <h2 id="failed-title">{words.failedTitle}</h2>
      <ul>
        {notifications.map(({ notificationId, title, reason }) => (
          <li key={notificationId}>
            <a href={at(`/console/notifications/${notificationId}`)}>{title}</a>
            {colon}
            {words.reasons[reason]}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The entries that lacked something at their scheduled time. */
const FailedSchedules = ({ schedules }: { readonly schedules: Desk['schedules'] }) => {
  const messages = useMessages()
  const { desk: words } = messages
  if (schedules.length === 0) return null
  return (
    <section className="notice problem" aria-labelledby="schedules-title">
      <h2 id="schedules-title">{words.schedulesTitle}</h2>
      <ul>
        {schedules.map(({ contentType, itemId, itemTitle, lang, moment, missing }) => (
          <li key={itemId}>
            <a href={pathOf(contentType, itemId)} lang={lang}>
              {itemTitle}
            </a>
            : {words.schedules[moment](missing.map((field) => nameOf(field, messages)).join(', '))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The links of Live entries that lead nowhere, with the entries to change. Absent without any, and while they are read. */
const DeadLinks = () => {
  const messages = useMessages()
  const { desk: words } = messages
  const dayOf = useMoment({ dateStyle: 'medium' })
  const links = useAnswer('dead links', listDeadLinks).answer?.data.links ?? []
  if (links.length === 0) return null
  return (
    <section className="notice problem" aria-labelledby="dead-links-title">
      <h2 id="dead-links-title">{words.deadLinksTitle(links.length)}</h2>
      <ul>
        {links.map(({ link: { contentType, itemId, itemTitle, lang, field, url, answer, since } }) => (
          <li key={`${itemId} ${field}`}>
            <a href={pathOf(contentType, itemId)} lang={lang}>
              {itemTitle}
            </a>
            : {words.deadLink(nameOf(field, messages), answer, dayOf(since))}{' '}
            <span className="hint">{url}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LANGUAGES = ['en', 'fr'] as const

/** Publications and posts of the last twelve months by language, as charts with a table behind each. Absent before the first one. */
const Published = () => {
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
      <p>
        <a href={at('/console/results')}>{words.results}</a>
      </p>
    </section>
  )
}

interface Line {
  readonly href: string
  readonly icon: IconName
  readonly text: string
  readonly hint?: string
}

const DAY = 86_400_000

/** Returns how long ago something was, in words: "3 days ago". */
const useAge = () => {
  const format = new Intl.RelativeTimeFormat(useLocaleName(), { numeric: 'auto' })
  return (moment: string): string => {
    const days = Math.floor((Date.now() - Date.parse(moment)) / DAY)
    return format.format(-Math.max(0, days), 'day')
  }
}

/** Titles that one line names at most. */
const MOST_NAMED = 3

const titlesOf = (titles: ReadonlyArray<string>): string =>
  [...titles.slice(0, MOST_NAMED), ...(titles.length > MOST_NAMED ? ['…'] : [])].join(', ')

/** What waits for the person: each line leads to the act. */
const ToDo = ({ desk, copies }: { readonly desk: Desk; readonly copies: ReadonlyArray<CopySummary> }) => {
  const { desk: words, copies: copyWords, proposals: proposalWords } = useMessages()
  const ageOf = useAge()
  const namesOf = useFieldNames()
  const { count, first } = desk.proposals
  const undecided = first.flatMap(({ proposal }) => (proposal.publishAt === '' ? [proposal] : []))
  const openCount = count - (first.length - undecided.length)
  const { waiting, oldestWaiting, lacking, older, changed } = desk
  const titles = changed.map(({ title, fields }) => words.olderTitle(title, namesOf(fields))).join(', ')
  const library = at('/console/library?translation=')
  const lines: ReadonlyArray<Line | false> = [
    waiting > 0 && {
      href: at('/console/queue'),
      icon: 'queue',
      text: words.waiting(waiting),
      ...(oldestWaiting !== null && { hint: words.oldest(ageOf(oldestWaiting)) }),
    },
    openCount > 0 && {
      href: at('/console/proposals'),
      icon: 'pen',
      text: proposalWords.waiting(openCount),
      hint: proposalWords.waitingHint(titlesOf(undecided.map(({ title }) => proposalWords.quoted(title)))),
    },
    lacking.fr > 0 && {
      href: `${library}missing&lang=en`,
      icon: 'library',
      text: words.lacking.fr(lacking.fr),
    },
    lacking.en > 0 && {
      href: `${library}missing&lang=fr`,
      icon: 'library',
      text: words.lacking.en(lacking.en),
    },
    older > 0 && {
      href: `${library}older`,
      icon: 'languages',
      text: words.older(older),
      hint: words.olderHint(older > changed.length ? `${titles}, …` : titles),
    },
    ...copies.map((copy) => ({
      href: pathOfCopy(copy),
      icon: 'pen' as const,
      text: words.unfinished(copy.title === '' ? copyWords.untitled : copy.title),
      hint: words.unfinishedHint(ageOf(copy.updatedAt)),
    })),
  ]
  const shown = lines.filter((line) => line !== false)
  if (shown.length === 0)
    return (
      <div className="empty">
        <Icon name="check" />
        <p>{words.nothing}</p>
      </div>
    )
  return (
    <ul className="to-do">
      {shown.map(({ href, icon, text, hint }) => (
        <li key={href}>
          <a href={href}>
            <Icon name={icon} />
            <span>
              <strong>{text}</strong>
              {hint !== undefined && <span className="hint">{hint}</span>}
            </span>
            <Icon name="next" />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The ways to new work. */
const Ways = () => {
  const { desk } = useMessages()
  const ways = [
    { href: at('/console/library/new'), icon: 'library', words: desk.publication },
    { href: at('/console/feed/new'), icon: 'feed', words: desk.post },
  ] as const
  return (
    <ul className="ways">
      {ways.map(({ href, icon, words }) => (
        <li key={href}>
          <a href={href}>
            <Icon name={icon} />
            <strong>{words.title}</strong>
            <span>{words.text}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The first page: what waits, what failed, what goes out today, and the ways to new work. */
export const DeskPage = () => {
  const { desk: words, loading } = useMessages()
  const { manager, timeZone } = useSession().session
  const { answer, error, reload } = useAnswer(`desk ${timeZone}`, (signal) => readDesk(timeZone, signal))
  return (
    <div className="page desk">
      <h1>{words.title(manager.name)}</h1>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {answer !== undefined && (
        <>
          <Failed notifications={answer.data.desk.failed} />
          <FailedSchedules schedules={answer.data.desk.schedules} />
          <FailedProposals proposals={answer.data.desk.proposals.first.map(({ proposal }) => proposal)} />
          <DeadLinks />
          <section aria-labelledby="to-do-title">
            <h2 id="to-do-title">{words.toDo}</h2>
            <ToDo desk={answer.data.desk} copies={answer.data.copies} />
          </section>
          <section aria-labelledby="today-title">
            <h2 id="today-title">{words.today}</h2>
            <Today notifications={answer.data.desk.today} />
            <p>
              <a href={at('/console/calendar')}>{words.calendar}</a>
            </p>
          </section>
        </>
      )}
      <section aria-labelledby="begin-title">
        <h2 id="begin-title">{words.begin}</h2>
        <Ways />
      </section>
      <Published />
    </div>
  )
}
