import { listCopies, writeCopy } from '../../content/editor/working-copies.ts'
import { ChoosePublication } from '../../notifications/composer/choose-publication.tsx'
import { Composer } from '../../notifications/composer/composer.tsx'
import { loadComposer } from '../../notifications/composer/load-composer.ts'
import { at } from '../../paths.ts'
import { useOnce } from '../../session/answers.ts'
import { goTo, useUrl } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { BackLink, Button } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'

/** Says that a notification cannot be changed any more, and offers to discard what the person has written for it. */
const Started = ({ id }: { readonly id: string }) => {
  const { composer: words, copies } = useMessages()
  const path = at(`/console/notifications/${id}`)
  const key = `change-${id}`
  const { data } = useOnce(key, listCopies)
  return (
    <div className="notice">
      <p>{words.started}</p>
      <a href={path}>{words.look}</a>
      {data?.some((copy) => copy.key === key) && (
        <Button onPress={() => void writeCopy(key, undefined).then(() => goTo(path))}>
          {copies.discard}
        </Button>
      )}
    </div>
  )
}

const Loaded = ({ query }: { readonly query: URLSearchParams }) => {
  const messages = useMessages()
  const { timeZone } = useSession().session
  const { data, error, retry } = useOnce(`compose ${query}`, async () => ({
    start: await loadComposer(query, timeZone),
  }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{messages.loading}</p>
  const { start } = data
  if (start === 'gone') return <p>{messages.composer.gone}</p>
  if (start === 'started') return <Started id={query.get('change') ?? ''} />
  return <Composer key={start.key} start={start} />
}

/** Writes notifications: chooses a publication first, unless the URL names one (`item`) or a notification to change (`change`). */
export const NewNotificationPage = () => {
  const { composer: words, notifications } = useMessages()
  const query = useUrl().searchParams
  const isChosen = query.has('item') || query.has('change')
  return (
    <div className="page new-notification">
      <BackLink href={at('/console/notifications')} text={notifications.title} />
      <div className="page-head">
        <h1>{query.has('change') ? words.change : words.title}</h1>
      </div>
      {isChosen ? <Loaded query={query} /> : <ChoosePublication />}
    </div>
  )
}
