import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'

/** One of a few options, all visible, side by side. */
export const Choice = ({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly onChange: (value: string) => void
}) => (
  <RadioGroup className="choice" value={value} onChange={onChange} orientation="horizontal">
    <Label>{label}</Label>
    <div className="choice-options">
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className="choice-option">
          {option.label}
        </Radio>
      ))}
    </div>
  </RadioGroup>
)
