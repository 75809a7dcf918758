import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'
import { readDesk } from './desk-api.ts'
import { Failed, Today } from './notifications.tsx'
import { Published } from './published.tsx'
import { ToDo } from './to-do.tsx'

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
          <section aria-labelledby="to-do-title">
            <h2 id="to-do-title">{words.toDo}</h2>
            <ToDo desk={answer.data.desk} copies={answer.data.copies} />
          </section>
          <section aria-labelledby="today-title">
            <h2 id="today-title">{words.today}</h2>
            <Today notifications={answer.data.desk.today} />
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
