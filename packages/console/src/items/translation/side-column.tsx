import type { ReactNode } from 'react'
import { useMessages } from '../../session/session.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { Clashes } from '../editor/clashes.tsx'
import { FORMS } from '../editor/field-forms.tsx'
import type { FieldName } from '../editor/fields.ts'
import { Refusal } from '../editor/refusal.tsx'
import { Restored } from '../editor/restored.tsx'
import type { Editor } from '../editor/use-editor.ts'
import { slotsOf } from '../images/slots.ts'
import type { TranslationState } from '../translation-state.ts'
import type { Side } from './pair-api.ts'

const TEXTS: ReadonlyArray<FieldName> = ['itemTitle', 'itemDescription', 'link']

/** The text of a publication in one language. */
export const SideColumn = ({
  side,
  editor,
  state: translation,
  before,
  after,
}: {
  readonly side: Side
  readonly editor: Editor
  readonly state: TranslationState
  /** Shown before the text, and after it. */
  readonly before: ReactNode
  readonly after: ReactNode
}) => {
  const messages = useMessages()
  const { state } = editor
  const prefix = `${side}-`
  const textsOf = (name: string) =>
    state.errors.filter(({ field }) => field === name).map(({ message }) => fieldErrorText(message, messages))
  const mark = translation === 'missing' ? messages.translation.missing : messages.list.older
  return (
    <section className="side" aria-labelledby={`${prefix}title`}>
      <div className="side-head">
        <h2 id={`${prefix}title`}>{messages.languages[side]}</h2>
        {state.saved !== undefined && <StatusMark status={state.saved.item.status} />}
        {translation !== 'current' && <span className="mark">{mark}</span>}
      </div>
      {state.restoredAt !== undefined && editor.isDirty && (
        <Restored at={state.restoredAt} onDiscard={editor.discard} />
      )}
      <Refusal state={state} slots={slotsOf('library')} prefix={prefix} />
      <Clashes
        id={`${prefix}clashes`}
        clashes={state.clashes}
        fields={state.fields}
        onSettle={editor.settle}
      />
      {before}
      {TEXTS.map((name) => {
        const Form = FORMS[name]
        return (
          <Form
            key={name}
            prefix={prefix}
            fields={{ ...state.fields, lang: side }}
            errors={textsOf(name)}
            onChange={(value) => editor.setField(name, value)}
          />
        )
      })}
      {after}
    </section>
  )
}
