import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import type { Seen } from '../session/use-seen.ts'

/** A button. `primary` marks the one main act of a page, `danger` one that takes something away; `quiet` has no border. */
export const Button = ({
  kind = 'plain',
  ...props
}: ButtonProps & {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly children: ReactNode
}) => <AriaButton {...props} className={`button ${kind}`} />

/** Buttons of acts that do nothing before their object has been seen (M12). */
export const SeenActs = ({
  isSeen,
  children,
}: {
  readonly isSeen: boolean
  readonly children: ReactNode
}) => (
  <Group className="act" {...(!isSeen && { 'aria-disabled': true })}>
    {children}
  </Group>
)

/** One dangerous act on a thing that has to be seen first (M12). */
export const SeenDanger = ({
  seen: { isSeen, begin, end },
  onAct,
  children,
}: {
  readonly seen: Seen
  readonly onAct: () => unknown
  readonly children: ReactNode
}) => (
  <SeenActs isSeen={isSeen}>
    <Button
      kind="danger"
      onPressStart={begin}
      onPress={() => {
        if (end()) onAct()
      }}
    >
      {children}
    </Button>
  </SeenActs>
)

/** The outlines of the icons, in a square of 24. */
const SHAPES = {
  desk: 'M 3 11.5 12 4l9 7.5M6 9.5V20h12V9.5M10 20v-5h4v5',
  library: 'M 5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6',
  feed: 'M 4 6h16v12H4zM4 15l4.5-4 3.5 3 3-2.5 5 4.5M9 9.5v.01',
  queue: 'M 4 13.5V18h16v-4.5M4 13.5 6.5 6h11l2.5 7.5M4 13.5h5a3 3 0 0 0 6 0h5',
  portfolio: 'M 4 8h16v11H4zM9 8V5h6v3M4 13h16',
  bell: 'M 6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 18.5a2 2 0 0 0 4 0',
  person: 'M 12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  people:
    'M 9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.4 3.2-5.2 6.5-5.2s5.9 1.8 6.5 5.2M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.6c2.2.7 3.6 2.4 4 4.9',
  key: 'M 8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12.2 19.5 4M16 7.3l2.5 2.6M13.5 9.8l1.7 1.7',
  download: 'M 12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14',
  copy: 'M 9 9h11v11H9zM5 15H4V4h11v1',
  link: 'M 10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6L12 17',
  add: 'M 12 5v14M5 12h14',
  search: 'M 11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  close: 'M 6 6l12 12M18 6 6 18',
  check: 'M 5 12.5 10 17.5 19.5 7',
  archive: 'M 4 5h16v4H4zM6 9v11h12V9M10 13h4',
  undo: 'M 8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9',
  lock: 'M 6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  image: 'M 4 5h16v14H4zM4 16l5-5 4 4 2.5-2 4.5 4M14.5 9v.01',
  pen: 'M 4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3',
  languages: 'M 4 6h9M8.5 4v2c0 4-2 7-4.5 8.5M6 10c1 2.5 3.5 4 6 4.5M12 20l4-9.5 4 9.5M13.5 17h5',
  chart: 'M 4 20h16M6.5 20v-6M11 20V8M15.5 20v-9M20 20V5',
  hexagon: 'M 7.5 4h9L21 12l-4.5 8h-9L3 12z',
  history: 'M 4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2',
  next: 'M 9 5l7 7-7 7',
  previous: 'M 15 5l-7 7 7 7',
  calendar: 'M 4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4',
} as const

export type IconName = keyof typeof SHAPES

/** An icon beside a text. It has no name, so screen readers pass over it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} />
  </svg>
)

/** The link at the head of a page to the page above it. */
export const BackLink = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <p className="back">
    <a href={href}>
      <Icon name="previous" />
      {text}
    </a>
  </p>
)

/** A native select with its label: phones show their own wheel, and the keyboard works everywhere. */
export const SelectField = ({
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
  <label className="select-field">
    <span className="label">{label}</span>
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
)
