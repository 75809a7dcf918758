import { Switch } from 'react-aria-components/Switch'

/** A switch with its label and a line that says what it does. */
export const SwitchField = ({
  label,
  hint,
  isSelected,
  onChange,
}: {
  readonly label: string
  readonly hint: string
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}) => (
  <Switch className="switch" isSelected={isSelected} onChange={onChange}>
    <span className="track" aria-hidden="true" />
    <span>
      {label}
      <span className="hint">{hint}</span>
    </span>
  </Switch>
)
