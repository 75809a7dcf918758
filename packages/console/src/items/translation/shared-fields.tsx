import { useMessages } from '../../session/session.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { FORMS } from '../editor/field-forms.tsx'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf } from '../images/slots.ts'
import type { PairEditor } from './use-pair.ts'

/** The images, the date and the readers, which both languages have in common. */
export const SharedFields = ({ pair }: { readonly pair: PairEditor }) => {
  const messages = useMessages()
  const { editor } = pair.sides[pair.original]
  const errors = [...pair.sides.en.editor.state.errors, ...pair.sides.fr.editor.state.errors]
  const textsOf = (...names: ReadonlyArray<string>) => [
    ...new Set(
      errors
        .filter(({ field }) => names.includes(field))
        .map(({ message }) => fieldErrorText(message, messages)),
    ),
  ]
  const { saved } = editor.state
  return (
    <section className="shared-fields" aria-labelledby="shared-title">
      <h2 id="shared-title">{messages.translation.shared}</h2>
      <div className="shared-grid">
        {slotsOf('library').map((slot) => (
          <ImageField
            key={slot.name}
            slot={slot}
            url={saved === undefined ? '' : imageUrl(saved.item, slot)}
            state={pair.images.stateOf(slot)}
            errors={textsOf(...slot.fields)}
            onChoose={(blob) => void pair.images.choose(slot, blob)}
            onRemove={() => void pair.images.remove(slot)}
          />
        ))}
        {(['itemPublicationDate', 'isDonorRestricted'] as const).map((name) => {
          const Form = FORMS[name]
          return (
            <Form
              key={name}
              fields={pair.shared}
              errors={textsOf(name)}
              onChange={(value) => pair.setShared(name, value)}
            />
          )
        })}
      </div>
    </section>
  )
}
