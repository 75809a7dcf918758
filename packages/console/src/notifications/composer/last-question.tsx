import { at } from '../../paths.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { type Announced, DeliveryMark } from '../notifications-api.tsx'
import type { Draft } from './draft.ts'
import { devicesOf } from './load-composer.ts'
import { useMomentText } from './time-fields.tsx'
import type { Question } from './use-composer.ts'

/** Says when readers of a language have had a notification about the same publication, or will. */
const Earlier = ({ earlier }: { readonly earlier: Announced }) => {
  const { composer: words } = useMessages()
  const momentText = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const { lang, moment, devices, state } = earlier
  const at = momentText((moment ?? new Date()).toISOString())
  return <p className="notice">{words.earlier[state === 'scheduled' ? 'will' : 'did'][lang](at, devices)}</p>
}

/** The last question. It names the number of devices, the texts, the time, and notifications about the same publication. */
export const LastQuestion = ({
  question: { sides, moment },
  draft,
  onAnswer,
}: {
  readonly question: Question
  readonly draft: Draft
  readonly onAnswer: (isYes: boolean) => void
}) => {
  const { composer: words, languages, notifications } = useMessages()
  const momentText = useMomentText()
  const { when, zone } = draft.time
  const devices = sides.reduce((sum, { preview }) => sum + devicesOf(preview), 0)
  const isAgain = sides.some(({ earlier }) => earlier !== undefined)
  return (
    <ConfirmDialog
      title={(isAgain ? words.questionAgain : words.question)[when](devices)}
      confirm={(isAgain ? words.confirmAgain : words.confirm)[when](devices)}
      keep={words.notYet}
      isDangerous={isAgain || when === 'now'}
      onConfirm={() => onAnswer(true)}
      onCancel={() => onAnswer(false)}
    >
      <ul className="question">
        {sides.map(({ side, preview }) => (
          <li key={side}>
            <span className="hint">
              {languages[side]}, {notifications.devices(devicesOf(preview))}
            </span>
            <strong lang={side}>{draft.sides[side].title}</strong>
          </li>
        ))}
      </ul>
      {sides.map(({ side, earlier }) => earlier !== undefined && <Earlier key={side} earlier={earlier} />)}
      <p>{when === 'now' ? words.atOnce : momentText(moment, zone)}</p>
    </ConfirmDialog>
  )
}

/** Lists the notifications that were and will be sent about the same publication. */
export const AnnouncedList = ({ announced }: { readonly announced: ReadonlyArray<Announced> }) => {
  const { composer: words, notifications, languages } = useMessages()
  const momentText = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  if (announced.length === 0) return null
  return (
    <section className="notice announced" aria-labelledby="announced-head">
      <h2 id="announced-head">{words.announced}</h2>
      <ul>
        {announced.map(({ id, lang, title, moment, state, devices }) => (
          <li key={id}>
            <a href={at(`/console/notifications/${id}`)} lang={lang}>
              {title}
            </a>
            <p className="meta">
              <span>{languages[lang]}</span>
              {moment !== undefined && (
                <time dateTime={moment.toISOString()}>{momentText(moment.toISOString())}</time>
              )}
              <DeliveryMark state={state} />
              {devices > 0 && <span>{notifications.devices(devices)}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
