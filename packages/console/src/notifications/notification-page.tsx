import { ApiError } from '@almoner/client'
import { useEffect, useState } from 'react'
import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import type { PageProps } from '../session/match.ts'
import { goTo, usePageTitle } from '../session/router.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { BackLink, Button, Icon } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { errorTexts, Problem } from '../ui/problem.tsx'
import {
  type Delivery,
  DeliveryMark,
  deleteNotification,
  type Known,
  momentOf,
  type Notification,
  readNotification,
  withdrawNotification,
} from './notifications-api.tsx'

/** Cancels a notification unless it is started, or stops it on its way. Both delete it, in both languages (G3, G14). */
const Cancel = ({ known, act }: { readonly known: Known; readonly act: 'cancel' | 'stop' }) => {
  const messages = useMessages()
  const words = messages.notifications[act]
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const remove = act === 'cancel' ? withdrawNotification : deleteNotification
  const confirm = () => {
    setIsAsking(false)
    remove(known).then(() => {
      showToast({ text: words.done })
      goTo(at('/console/notifications'))
    }, setFailure)
  }
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>{words.button}</Button>
      {failure !== undefined && (
        <p className="field-errors" role="alert">
          {errorTexts(failure, messages).join(' ')}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.title}
          confirm={words.confirm}
          keep={words.keep}
          isDangerous
          onConfirm={confirm}
          onCancel={() => setIsAsking(false)}
        >
          <p>{words.text}</p>
          {known.isPair && <p>{words.both}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The ways in which devices end, in the order of the report. */
const ENDS = ['delivered', 'dead', 'skipped', 'failed', 'pending'] as const

/** How far a notification has come, as a bar and in words. */
const Progress = ({ delivery }: { readonly delivery: Delivery }) => {
  const { notifications: words } = useMessages()
  const { recipients, pending } = delivery
  const done = recipients - pending
  return (
    <div className="progress">
      <p>
        <strong>{words.progress(done, recipients)}</strong>
      </p>
      <progress aria-label={words.progressLabel} max={recipients} value={done} />
    </div>
  )
}

/** What became of the devices, with the reasons in words. */
const Report = ({ delivery, lang }: { readonly delivery: Delivery; readonly lang: 'en' | 'fr' }) => {
  const { notifications: words } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'medium' })
  const lines = ENDS.filter((end) => delivery[end] > 0)
  return (
    <section className="report" aria-labelledby="report-title">
      <h2 id="report-title">{words.report}</h2>
      {delivery.recipients === 0 && <p>{words.noRecipients[lang]}</p>}
      <ul>
        {lines.map((end) => (
          <li key={end} className={end}>
            <strong>{words.ends[end].text(delivery[end])}</strong>
            <span className="hint">{words.ends[end].reason}</span>
          </li>
        ))}
      </ul>
      {delivery.shortened && <p>{words.shortened[delivery.shortened]}</p>}
      <dl className="facts">
        <dt>{words.startedAt}</dt>
        <dd>{momentOf(delivery.startedAt)}</dd>
        {delivery.finishedAt !== '' && (
          <>
            <dt>{words.finishedAt}</dt>
            <dd>{momentOf(delivery.finishedAt)}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Milliseconds between two questions while a notification goes out. */
const EACH = 1000

/** Reads a notification, and reads it again each second while it goes out and the page is visible. */
const useProgress = (id: string) => {
  const asked = useAnswer(`notification ${id}`, (signal) => readNotification(id, signal))
  const { answer, isLoading, reload } = asked
  const found = answer?.data
  const isDue =
    found !== undefined && (momentOf(found.notification)?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now()
  const state = found?.delivery.state
  const isUnderWay = state === 'sending' || (state === 'scheduled' && isDue)
  useEffect(() => {
    if (!isUnderWay || isLoading || document.hidden) return
    const timer = setTimeout(reload, EACH)
    return () => clearTimeout(timer)
  }, [isUnderWay, isLoading, reload])
  return asked
}

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

/** Leads to the notification in the other language, which goes out, moves and is cancelled with this one (G14). */
const OtherLanguage = ({ notification }: { readonly notification: Notification }) => {
  const { notifications: words, languages } = useMessages()
  const { counterpart } = notification
  if (counterpart === null || counterpart === undefined) return null
  return (
    <>
      <dt>{words.otherLanguage}</dt>
      <dd>
        <a href={at(`/console/notifications/${counterpart.notificationId}`)}>{languages[counterpart.lang]}</a>{' '}
        <DeliveryMark state={counterpart.state} />
      </dd>
    </>
  )
}

const Shown = ({
  notification,
  delivery,
  etag,
}: {
  readonly notification: Notification
  readonly delivery: Delivery
  readonly etag: string | undefined
}) => {
  const { composer, notifications: words, languages, fields } = useMessages()
  const { id, lang, title, subtitle, description, actionUrl } = notification
  const { state } = delivery
  const known = { id, etag, isPair: (notification.counterpart ?? null) !== null }
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
        <OtherLanguage notification={notification} />
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
          <Cancel known={known} act="cancel" />
        </div>
      )}
      {state === 'sending' && <Cancel known={known} act="stop" />}
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
  usePageTitle(found?.notification.title)
  return (
    <div className="page notification">
      <BackLink href={at('/console/notifications')} text={words.title} />
      {hasGone && <h1>{words.gone}</h1>}
      {error !== undefined && !isGone(error) && <Problem error={error} onRetry={reload} />}
      {found === undefined && !hasGone && error === undefined && (
        <p className="loading">{messages.loading}</p>
      )}
      {found !== undefined && <Shown {...found} etag={answer?.etag} />}
    </div>
  )
}
