import { useUrl } from '../../app/router.ts'
import { useMessages, useSession } from '../../app/session.tsx'
import { useOnce } from '../../app/use-once.ts'
import { ChoosePublication } from '../../notifications/composer/choose-publication.tsx'
import { Composer } from '../../notifications/composer/composer.tsx'
import { loadComposer } from '../../notifications/composer/load-composer.ts'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/problem.tsx'

const Loaded = ({ query }: { readonly query: URLSearchParams }) => {
  const messages = useMessages()
  const { timeZone } = useSession().session
  const { data, error, retry } = useOnce(`compose ${query}`, async () => ({
    start: await loadComposer(query, timeZone),
  }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{messages.loading}</p>
  if (data.start === undefined) return <p>{messages.composer.gone}</p>
  return <Composer key={data.start.key} start={data.start} />
}

/** Writes notifications: chooses a publication first, unless the URL names one (`item`) or a notification to change (`change`). */
const NewNotificationPage = () => {
  const { composer: words, notifications } = useMessages()
  const query = useUrl().searchParams
  const isChosen = query.has('item') || query.has('change')
  return (
    <div className="page new-notification">
      <p className="back">
        <a href="/console/notifications">
          <Icon name="previous" />
          {notifications.title}
        </a>
      </p>
      <div className="page-head">
        <h1>{query.has('change') ? words.change : words.title}</h1>
      </div>
      {isChosen ? <Loaded query={query} /> : <ChoosePublication />}
    </div>
  )
}

export default NewNotificationPage
