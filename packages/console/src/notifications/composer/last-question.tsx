import { useMessages } from '../../session/session.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { devicesOf } from './composer-api.ts'
import type { Draft } from './draft.ts'
import { useMomentText } from './moment-text.tsx'
import type { Question } from './use-composer.ts'

/** The last question. It names the number of devices, the texts and the time. */
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
  return (
    <ConfirmDialog
      title={words.question[when](devices)}
      confirm={words.confirm[when](devices)}
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
      <p>{when === 'now' ? words.atOnce : momentText(moment, zone)}</p>
    </ConfirmDialog>
  )
}
