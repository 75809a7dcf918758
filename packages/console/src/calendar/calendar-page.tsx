import {
  type CalendarDate,
  endOfMonth,
  endOfWeek,
  parseDate,
  startOfMonth,
  startOfWeek,
  today,
} from '@internationalized/date'
import { useState } from 'react'
import { pathOf } from '../content/items.ts'
import { pathOfProposal } from '../content/proposals/proposals-api.ts'
import { at } from '../paths.ts'
import { useActs, useAnswer } from '../session/answers.ts'
import { useUrl, withQuery } from '../session/router.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import DayField from '../ui/day-field.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Problem } from '../ui/problem.tsx'
import { type AgendaEntry, EntryChanged, moveEntry, readAgenda } from './agenda.ts'

const dayIn = (text: string | null, timeZone: string): CalendarDate => {
  try {
    return parseDate(text ?? '')
  } catch {
    return today(timeZone)
  }
}

/** The days from one to another, both included. */
const daysBetween = (first: CalendarDate, last: CalendarDate): ReadonlyArray<CalendarDate> =>
  Array.from({ length: last.compare(first) + 1 }, (_, days) => first.add({ days }))

/** An entry of a day. One that can be moved is dragged to another day, or moved by its button. */
const Entry = ({
  entry,
  onDrag,
  onMove,
}: {
  readonly entry: AgendaEntry
  readonly onDrag: () => void
  readonly onMove: () => void
}) => {
  const messages = useMessages()
  const { calendar: words, notifications } = messages
  const timeOf = useMoment({ timeStyle: 'short' })
  const { kind, contentType, id, title, lang, at: moment, state, devices, isMovable } = entry
  const path = kind === 'proposal' ? pathOfProposal(contentType, id) : pathOf(contentType, id)
  const href = kind === 'notification' ? at(`/console/notifications/${id}`) : path
  const states: Readonly<Record<string, string>> = { ...messages.status, ...notifications.states }
  return (
    <li className={`agenda-entry ${kind}`} draggable={isMovable} onDragStart={onDrag}>
      <p className="meta">
        <span>{words.kinds[kind]}</span>
        {moment !== undefined && <time dateTime={moment}>{timeOf(moment)}</time>}
        <span>{lang.toUpperCase()}</span>
      </p>
      <a href={href} lang={lang}>
        {title}
      </a>
      <p className="meta">
        <span>{states[state] ?? state}</span>
        {devices > 0 && <span>{notifications.devices(devices)}</span>}
        {isMovable && (
          <Button kind="quiet" aria-label={words.moveLabel(title)} onPress={onMove}>
            {words.move}
          </Button>
        )}
      </p>
    </li>
  )
}

/** Asks for the day to which an entry moves. */
const MoveDialog = ({
  entry,
  onMove,
  onCancel,
}: {
  readonly entry: AgendaEntry
  readonly onMove: (day: string) => void
  readonly onCancel: () => void
}) => {
  const { calendar: words } = useMessages()
  const [day, setDay] = useState(entry.day)
  const nameOf = useDayName()
  return (
    <ConfirmDialog
      title={words.moveTitle(entry.title)}
      confirm={day === '' ? words.move : words.moveTo(nameOf(day))}
      onConfirm={() => (day === '' ? undefined : onMove(day))}
      onCancel={onCancel}
    >
      <p>{words.moveText[entry.kind]}</p>
      <DayField id="move-day" label={words.day} value={day} onChange={setDay} errors={[]} />
    </ConfirmDialog>
  )
}

/** Returns a function that writes a day as people read it. */
const useDayName = () => {
  const format = new Intl.DateTimeFormat(useLocaleName(), {
    ...{ weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' },
  })
  return (day: string): string => format.format(new Date(day))
}

/** The days of a month or a week with what stands on them, and the way to move it. */
const Days = ({
  days,
  blank,
  entries,
  onMove,
  onAsk,
}: {
  readonly days: ReadonlyArray<CalendarDate>
  /** Days of the first week before these. */
  readonly blank: number
  readonly entries: ReadonlyArray<AgendaEntry>
  readonly onMove: (entry: AgendaEntry, day: string) => void
  readonly onAsk: (entry: AgendaEntry) => void
}) => {
  const { timeZone } = useSession().session
  const nameOf = useDayName()
  const [dragged, setDragged] = useState<AgendaEntry>()
  const present = today(timeZone).toString()
  return (
    <ol className={`agenda blank-${blank}`}>
      {days.map((date) => {
        const day = date.toString()
        return (
          <li
            key={day}
            className="agenda-day"
            aria-current={day === present ? 'date' : undefined}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={() => {
              if (dragged !== undefined && dragged.day !== day) onMove(dragged, day)
              setDragged(undefined)
            }}
          >
            <h3>{nameOf(day)}</h3>
            <ul>
              {entries
                .filter((entry) => entry.day === day)
                .map((entry) => (
                  <Entry
                    key={`${entry.kind} ${entry.id}`}
                    entry={entry}
                    onDrag={() => setDragged(entry)}
                    onMove={() => onAsk(entry)}
                  />
                ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

/** The two views, the steps back and forth, and the name of the days. */
const Controls = ({
  day,
  isWeek,
  title,
}: {
  readonly day: CalendarDate
  readonly isWeek: boolean
  readonly title: string
}) => {
  const { calendar: words } = useMessages()
  const { timeZone } = useSession().session
  const url = useUrl()
  const step = isWeek ? { weeks: 1 } : { months: 1 }
  const to = (date: CalendarDate) => withQuery(url, { day: date.toString() })
  const view = (name: string, text: string, isCurrent: boolean) => (
    <a href={withQuery(url, { view: name })} aria-current={isCurrent ? 'page' : undefined}>
      {text}
    </a>
  )
  return (
    <div className="schedule-controls">
      <nav className="months" aria-label={words.steps}>
        <a className="button quiet" href={to(day.subtract(step))} aria-label={words.previous}>
          <Icon name="previous" />
        </a>
        <h2>{title}</h2>
        <a className="button quiet" href={to(day.add(step))} aria-label={words.next}>
          <Icon name="next" />
        </a>
        <a className="button quiet" href={to(today(timeZone))}>
          {words.today}
        </a>
      </nav>
      <nav className="views" aria-label={words.views}>
        {view('', words.month, !isWeek)}
        {view('week', words.week, isWeek)}
      </nav>
    </div>
  )
}

/** A month or a week: publications by their dates, schedules, and notifications with their numbers. Entries that are to come can be moved. */
export const CalendarPage = () => {
  const { calendar: words, loading, queue } = useMessages()
  const locale = useLocaleName()
  const { timeZone } = useSession().session
  const url = useUrl()
  const isWeek = url.searchParams.get('view') === 'week'
  const day = dayIn(url.searchParams.get('day'), timeZone)
  const [first, last] = isWeek
    ? [startOfWeek(day, locale), endOfWeek(day, locale)]
    : [startOfMonth(day), endOfMonth(day)]
  const key = `agenda ${first} ${last} ${timeZone}`
  const { answer, error, reload } = useAnswer(key, (signal) =>
    readAgenda(first.toString(), last.toString(), timeZone, signal),
  )
  const [asked, setAsked] = useState<AgendaEntry>()
  const { refused, run } = useActs()
  const nameOf = useDayName()
  const move = (entry: AgendaEntry, to: string) => {
    setAsked(undefined)
    const undo = (back: () => Promise<unknown>) => void run(back, () => {})
    void run(
      () => moveEntry(entry, to, timeZone),
      (back) =>
        showToast({
          text: words.moved(entry.title, nameOf(to)),
          action: { label: queue.undo, run: () => undo(back) },
        }),
    )
  }
  const title = isWeek
    ? words.weekOf(nameOf(first.toString()), nameOf(last.toString()))
    : new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        first.toDate('UTC'),
      )
  return (
    <div className="page calendar-page">
      <h1>{words.title}</h1>
      <Controls day={day} isWeek={isWeek} title={title} />
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {refused instanceof EntryChanged && (
        <p className="notice problem" role="alert">
          {words.changed}
        </p>
      )}
      {refused !== undefined && !(refused instanceof EntryChanged) && <Problem error={refused} />}
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {answer !== undefined && (
        <Days
          days={daysBetween(first, last)}
          blank={first.compare(startOfWeek(first, locale))}
          entries={answer.data}
          onMove={move}
          onAsk={setAsked}
        />
      )}
      {answer?.data.length === 0 && <p className="hint">{words.empty}</p>}
      {asked !== undefined && (
        <MoveDialog entry={asked} onMove={(to) => move(asked, to)} onCancel={() => setAsked(undefined)} />
      )}
    </div>
  )
}
