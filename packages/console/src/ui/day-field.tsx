import { type CalendarDate, parseDate, parseTime, type Time } from '@internationalized/date'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components/Calendar'
import { DateInput, DatePicker, DateSegment } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { FieldError } from 'react-aria-components/FieldError'
import { Group } from 'react-aria-components/Group'
import { Label } from 'react-aria-components/Label'
import { Popover } from 'react-aria-components/Popover'
import { TimeField } from 'react-aria-components/TimeField'
import { Icon } from './controls.tsx'

const Month = () => (
  <Calendar className="calendar">
    <header>
      <Button slot="previous" className="button quiet">
        <Icon name="previous" />
      </Button>
      <Heading />
      <Button slot="next" className="button quiet">
        <Icon name="next" />
      </Button>
    </header>
    <CalendarGrid>
      <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
      <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
    </CalendarGrid>
  </Calendar>
)

/** Returns the day that a text names; null if it names none. */
const dayOf = (text: string): CalendarDate | null => {
  try {
    return parseDate(text)
  } catch {
    return null
  }
}

/** Returns a day as text. A year of two digits is one of this century: people type 27 for 2027 (B8). */
const textOf = (day: CalendarDate | null): string =>
  (day !== null && day.year < 100 ? day.add({ years: 2000 }) : day)?.toString() ?? ''

/** The parts of a day or time that are typed. */
const PART = '[role=spinbutton]'

/** Lets a separator lead to the next part, so that `1/2/27` is the first of February: a part that is full has led there by itself. */
const useSeparators = () => {
  const latest = useRef<EventTarget>(undefined)
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, currentTarget } = event
    if (/^\d$/.test(key)) latest.current = target
    if (!/^[/.:h\- ]$/.test(key) || !(target instanceof HTMLElement) || !target.matches(PART)) return
    event.preventDefault()
    event.stopPropagation()
    if (latest.current !== target) return
    const parts = [...currentTarget.querySelectorAll<HTMLElement>(PART)]
    parts[parts.indexOf(target) + 1]?.focus()
  }
}

/** A calendar day, typed in the order of the person's language or picked from a month. */
const DayField = ({
  id,
  label,
  value,
  onChange,
  errors,
}: {
  readonly id: string
  readonly label: string
  /** YYYY-MM-DD, or empty. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errors: ReadonlyArray<string>
}) => {
  // The field shows the text as it is typed, so that 2027 can be typed digit by digit.
  const [typed, setTyped] = useState<CalendarDate | null>()
  const onKeyDown = useSeparators()
  return (
    <DatePicker
      id={id}
      className="day-field"
      value={typed === undefined ? dayOf(value) : typed}
      onChange={(day) => {
        setTyped(day)
        onChange(textOf(day))
      }}
      onBlur={() => setTyped(undefined)}
      isInvalid={errors.length > 0}
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      <Group className="day-input" onKeyDownCapture={onKeyDown}>
        <DateInput className="segments">
          {(segment) => <DateSegment segment={segment} className="segment" />}
        </DateInput>
        <Button className="button quiet">
          <Icon name="calendar" />
        </Button>
      </Group>
      <FieldError className="field-errors">{errors.join(' ')}</FieldError>
      <Popover className="popover">
        <Dialog>
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  )
}

/** Returns the time that a text names; null if it names none. */
const timeOf = (text: string): Time | null => {
  try {
    return parseTime(text)
  } catch {
    return null
  }
}

/** A time of day on a clock of 24 hours, in any browser. */
export const TimeOfDay = ({
  label,
  value,
  onChange,
}: {
  readonly label: string
  /** HH:MM, or empty. */
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const onKeyDown = useSeparators()
  return (
    <TimeField
      className="day-field"
      value={timeOf(value)}
      onChange={(time) => onChange(time?.toString().slice(0, 5) ?? '')}
      hourCycle={24}
      shouldForceLeadingZeros
    >
      <Label>{label}</Label>
      <Group role="presentation" className="day-input" onKeyDownCapture={onKeyDown}>
        <DateInput className="segments">
          {(segment) => <DateSegment segment={segment} className="segment" />}
        </DateInput>
      </Group>
    </TimeField>
  )
}

export default DayField
