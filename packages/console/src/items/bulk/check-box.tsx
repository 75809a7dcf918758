import { type KeyboardEvent, type MouseEvent, useRef } from 'react'

/** A native checkbox of 24 px and more. `onToggle` says whether Shift was held, for ranges. */
export const CheckBox = ({
  label,
  isChecked,
  isPartly = false,
  onToggle,
  hasText = false,
}: {
  readonly label: string
  readonly isChecked: boolean
  readonly isPartly?: boolean
  readonly onToggle: (isRange: boolean) => void
  /** Shows the label beside the box. */
  readonly hasText?: boolean
}) => {
  const isShift = useRef(false)
  const note = (event: KeyboardEvent | MouseEvent) => {
    isShift.current = event.shiftKey
  }
  return (
    <label className="check-box">
      <input
        type="checkbox"
        aria-label={hasText ? undefined : label}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly
        }}
        checked={isChecked}
        onKeyDown={note}
        onClick={note}
        onChange={() => onToggle(isShift.current)}
      />
      {hasText && <span>{label}</span>}
    </label>
  )
}
