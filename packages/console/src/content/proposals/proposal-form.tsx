import { useState } from 'react'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { useSeen } from '../../session/use-seen.ts'
import { Button, SeenDanger } from '../../ui/controls.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { FieldForm } from '../editor/field-forms.tsx'
import { fieldNames } from '../editor/fields.ts'
import { MomentFields, secondsOf, type Typed, typedOf } from '../editor/schedule.tsx'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf } from '../images/use-images.ts'
import type { ContentType } from '../items.ts'
import type { ProposalEditor } from './use-proposal.ts'

/** When the proposal is published by itself, by the clocks of the person's zone. */
export const Moment = ({ proposal: { shown, isBusy, schedule } }: { readonly proposal: ProposalEditor }) => {
  const { proposals: all, schedule: common } = useMessages()
  const words = all.moment
  const { timeZone } = useSession().session
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const { publishAt } = shown.proposal
  const [typed, setTyped] = useState<Typed>(() => typedOf(publishAt, timeZone))
  const seconds = secondsOf(typed, timeZone)
  const moment = seconds === undefined || seconds === '' ? undefined : new Date(Number(seconds) * 1000)
  const isPast = moment !== undefined && moment.getTime() <= Date.now()
  const isEmpty = seconds === ''
  const set = () => {
    if (seconds === undefined || isPast) return
    void schedule(seconds, moment === undefined ? words.cleared : words.done(momentOf(moment.toISOString())))
  }
  const clear = () => {
    setTyped({ day: '', time: '' })
    void schedule('', words.cleared)
  }
  return (
    <fieldset className="schedule">
      <legend className="label">{words.title}</legend>
      <MomentFields
        id="field-proposed-moment"
        labels={words}
        typed={typed}
        onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
      />
      <p className="hint">{common.hint(timeZone.replaceAll('_', ' '))}</p>
      {publishAt !== '' && <p>{words.set(momentOf(publishAt))}</p>}
      {seconds === undefined && <p className="field-errors">{common.incomplete}</p>}
      {isPast && <p className="field-errors">{words.past}</p>}
      <div className="actions">
        <Button isDisabled={isBusy || seconds === undefined || isEmpty || isPast} onPress={set}>
          {words.save}
        </Button>
        {publishAt !== '' && (
          <Button kind="quiet" isDisabled={isBusy} onPress={clear}>
            {words.clear}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** The form of the text of a proposal. */
export const Form = ({
  contentType,
  proposal,
}: {
  readonly contentType: ContentType
  readonly proposal: ProposalEditor
}) => {
  const messages = useMessages()
  const { editor } = proposal
  const { state } = editor
  const textsOf = (...names: ReadonlyArray<string>) =>
    state.errors
      .filter(({ field }) => names.includes(field))
      .map(({ message }) => fieldErrorText(message, messages))
  const item = state.saved?.item
  return (
    <>
      {fieldNames(contentType).map((name) => (
        <FieldForm
          key={name}
          name={name}
          fields={state.fields}
          errors={textsOf(name)}
          item={item}
          onChange={(value) => editor.setField(name, value)}
        />
      ))}
      {slotsOf(contentType).map((slot) => (
        <ImageField
          key={slot.name}
          slot={slot}
          url={item === undefined ? '' : imageUrl(item, slot)}
          state={proposal.imageStateOf(slot)}
          errors={textsOf(...slot.fields)}
          subject={undefined}
          isLive={false}
          onChoose={(blob) => {
            editor.clear(slot.fields)
            void proposal.chooseImage(slot, blob)
          }}
        />
      ))}
    </>
  )
}

/** Discards the proposal, once the person has seen this version of it (M12). */
export const Discard = ({ proposal: { editor, discard } }: { readonly proposal: ProposalEditor }) => {
  const { proposals: words } = useMessages()
  const seen = useSeen(editor.state.saved?.etag)
  return (
    <SeenDanger seen={seen} onAct={discard}>
      {words.discard}
    </SeenDanger>
  )
}
