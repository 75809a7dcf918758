import { useMessages, useMoment } from '../session/session.tsx'
import type { Delivery } from './notifications-api.ts'

/** The ways in which devices end, in the order of the report. */
const ENDS = ['delivered', 'dead', 'skipped', 'failed', 'pending'] as const

/** How far a notification has come, as a bar and in words. */
export const Progress = ({ delivery }: { readonly delivery: Delivery }) => {
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
export const Report = ({ delivery, lang }: { readonly delivery: Delivery; readonly lang: 'en' | 'fr' }) => {
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
