import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import { useMessages } from '../session/session.tsx'

/** Counts characters as the server does: code points of the normalised text (B6). */
const lengthOf = (text: string): number => [...text.normalize('NFC')].length

/** A labelled text field with hint, counter and the server's messages. */
export const TextField = ({
  id,
  label,
  value,
  onChange,
  errors,
  hint,
  most,
  lang,
  type = 'text',
  rows = 1,
}: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errors: ReadonlyArray<string>
  readonly hint?: string | undefined
  /** The most characters, which the counter shows. Longer text can be typed, and is marked. */
  readonly most?: number | undefined
  /** The language of the text, for the spelling checker and screen readers. */
  readonly lang?: string | undefined
  /** `text` may have several lines. */
  readonly type?: 'text' | 'url' | 'line' | 'email'
  /** The lines of the empty field. It grows with its text. */
  readonly rows?: number
}) => {
  const { editor } = useMessages()
  const length = lengthOf(value)
  return (
    <AriaTextField
      className="text-field"
      value={value}
      onChange={onChange}
      type={type === 'line' ? 'text' : type}
      isInvalid={errors.length > 0}
      validationBehavior="aria"
    >
      <div className="label-line">
        <Label htmlFor={id}>{label}</Label>
        {most !== undefined && (
          <span className={`counter${length > most ? ' over' : ''}`}>
            <span aria-hidden="true">
              {length} / {most}
            </span>
            <span className="visually-hidden">{editor.counter(most - length)}</span>
          </span>
        )}
      </div>
      {type === 'text' ? <TextArea id={id} lang={lang} rows={rows} /> : <Input id={id} lang={lang} />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-errors">{errors.join(' ')}</FieldError>
    </AriaTextField>
  )
}
