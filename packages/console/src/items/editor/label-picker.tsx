import { Checkbox, CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label as FieldLabel } from 'react-aria-components/Label'
import { useAnswer } from '../../session/answers.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { listLabels } from '../items-api.ts'

/** The labels of an item: all labels as check boxes. They are attached at once. */
export const LabelPicker = ({
  selected,
  onChange,
}: {
  readonly selected: ReadonlyArray<string>
  readonly onChange: (selected: ReadonlyArray<string>) => void
}) => {
  const { editor } = useMessages()
  const { language } = useSession().session.manager
  const labels = useAnswer('labels', listLabels).answer?.data ?? []
  return (
    <CheckboxGroup className="labels" value={[...selected]} onChange={onChange}>
      <FieldLabel>{editor.labels}</FieldLabel>
      <div className="label-options">
        {labels.map((label) => (
          <Checkbox key={label.labelId} value={label.labelId} className="label-option">
            {label[language]}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  )
}
