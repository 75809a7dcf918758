import { ApiError } from '@almoner/client'
import { Cancel } from '../../notifications/cancel.tsx'
import { DeliveryMark } from '../../notifications/delivery-mark.tsx'
import { type Delivery, momentOf, type Notification } from '../../notifications/notifications-api.ts'
import { Progress, Report } from '../../notifications/report.tsx'
import { useProgress } from '../../notifications/use-progress.ts'
import { at } from '../../paths.ts'
import type { PageProps } from '../../session/match.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { BackLink, Icon } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'

/** When it goes or went out, in the named time zone. */
const Moment = ({ notification }: { readonly notification: Notification }) => {
  const { notifications: words } = useMessages()
  const { timeZone } = useSession().session
  const format = new Intl.DateTimeFormat(useLocaleName(), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  })
  const moment = momentOf(notification)
  if (moment === undefined) return <dd>{words.never}</dd>
  return (
    <dd>
      <time dateTime={moment.toISOString()}>{format.format(moment)}</time> ({timeZone})
    </dd>
  )
}

const Shown = ({
  notification,
  delivery,
}: {
  readonly notification: Notification
  readonly delivery: Delivery
}) => {
  const { composer, notifications: words, languages, fields } = useMessages()
  const { id, lang, title, subtitle, description, actionUrl } = notification
  const { state } = delivery
  return (
    <>
      <div className="page-head">
        <h1 lang={lang}>{title}</h1>
        <div role="status">
          <DeliveryMark state={state} />
        </div>
      </div>
      {subtitle !== '' && <p lang={lang}>{subtitle}</p>}
      {description !== '' && (
        <p className="notification-text" lang={lang}>
          {description}
        </p>
      )}
      <dl className="facts">
        <dt>{words.sendAt}</dt>
        <Moment notification={notification} />
        <dt>{words.language}</dt>
        <dd>{languages[lang]}</dd>
        {actionUrl !== '' && (
          <>
            <dt>{fields.link}</dt>
            <dd>
              <a href={actionUrl}>{actionUrl}</a>
            </dd>
          </>
        )}
      </dl>
      {state === 'sending' && <Progress delivery={delivery} />}
      {delivery.startedAt !== '' && <Report delivery={delivery} lang={lang} />}
      {(state === 'scheduled' || state === 'unscheduled') && (
        <div className="actions">
          <a className="button" href={at(`/console/notifications/new?change=${id}`)}>
            <Icon name="pen" />
            {composer.changeLink}
          </a>
          <Cancel id={id} act="cancel" />
        </div>
      )}
      {state === 'sending' && <Cancel id={id} act="stop" />}
    </>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** One notification: its text, its progress while it goes out, and the report. */
export const NotificationPage = ({ params }: PageProps) => {
  const messages = useMessages()
  const words = messages.notifications
  const { answer, error, reload } = useProgress(params['id'] ?? '')
  const hasGone = isGone(error) || (answer !== undefined && answer.data === undefined)
  const found = hasGone ? undefined : answer?.data
  return (
    <div className="page notification">
      <BackLink href={at('/console/notifications')} text={words.title} />
      {hasGone && <h1>{words.gone}</h1>}
      {error !== undefined && !isGone(error) && <Problem error={error} onRetry={reload} />}
      {found === undefined && !hasGone && error === undefined && (
        <p className="loading">{messages.loading}</p>
      )}
      {found !== undefined && <Shown {...found} />}
    </div>
  )
}
