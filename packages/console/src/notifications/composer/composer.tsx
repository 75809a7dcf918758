import { Group } from 'react-aria-components/Group'
import { Restored, SaveState } from '../../content/editor/copy-notices.tsx'
import { LANGUAGES } from '../../content/translation/pair-api.ts'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { errorTexts } from '../../ui/problem.tsx'
import { ComposerSide } from './composer-side.tsx'
import { toSchedule } from './draft.ts'
import { LastQuestion } from './last-question.tsx'
import type { ComposerStart } from './load-composer.ts'
import { TestPush } from './test-push.tsx'
import { TimeFields } from './time-fields.tsx'
import { useComposer } from './use-composer.ts'
import { usePreview } from './use-preview.ts'

/** Writes one notification in English and French, and schedules both in one act. */
export const Composer = ({ start }: { readonly start: ComposerStart }) => {
  const messages = useMessages()
  const { composer: words } = messages
  const { state, copy, setSide, setTime, discard, ask, answer } = useComposer(start)
  const { draft, restoredAt, isBusy, question, errors, failure } = state
  const { en, fr } = start.publications
  const previews = { en: usePreview('en', draft.sides.en), fr: usePreview('fr', draft.sides.fr) }
  const publications = { en: en ?? fr, fr: fr ?? en }
  const hasAny = toSchedule(draft).length > 0
  const hasErrors = Object.keys(errors).length > 0
  return (
    <>
      {restoredAt !== undefined && <Restored at={restoredAt} onDiscard={discard} text={words.restored} />}
      <form className="composer" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="sides">
          {LANGUAGES.map((side) => (
            <ComposerSide
              key={side}
              side={side}
              draft={draft.sides[side]}
              publication={publications[side]}
              isOther={publications[side] !== start.publications[side]}
              preview={previews[side]}
              errors={errors[side] ?? []}
              onChange={(part) => setSide(side, part)}
            />
          ))}
        </div>
        <div className="composer-shared">
          <TimeFields time={draft.time} onChange={setTime} />
          <TestPush draft={draft} />
        </div>
      </form>
      {hasErrors && (
        <p className="notice problem" role="alert">
          {words.hasErrors}
        </p>
      )}
      {failure !== undefined && (
        <div className="notice problem" role="alert">
          <p>{errorTexts(failure, messages).join(' ')}</p>
          {draft.isWithdrawn && <p>{words.withdrawn}</p>}
        </div>
      )}
      <Group className="editor-actions" aria-label={words.acts}>
        <SaveState isBusy={isBusy} copy={copy} />
        {!hasAny && <p>{words.noLanguage}</p>}
        <Button
          kind="primary"
          onPress={() => {
            if (!isBusy && hasAny) void ask()
          }}
        >
          {draft.time.when === 'now' ? words.sendNow : words.schedule}
        </Button>
      </Group>
      {question !== undefined && (
        <LastQuestion question={question} draft={draft} onAnswer={(isYes) => void answer(isYes)} />
      )}
    </>
  )
}
