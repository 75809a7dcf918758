import { SelectField } from './controls.tsx'
import { zoneName, zonesFrom } from './send-time.ts'

/** A time zone, found by typing the name of its city. */
export const ZoneField = ({
  label,
  value,
  first,
  none,
  onChange,
}: {
  readonly label: string
  readonly value: string
  /** The zones at the head of the list. */
  readonly first: ReadonlyArray<string>
  /** The words of the empty value, where it may be chosen. */
  readonly none?: string
  readonly onChange: (zone: string) => void
}) => (
  <SelectField
    label={label}
    value={value}
    options={[
      ...(none === undefined ? [] : [{ value: '', label: none }]),
      ...zonesFrom(...first).map((zone) => ({ value: zone, label: zoneName(zone) })),
    ]}
    onChange={onChange}
  />
)
