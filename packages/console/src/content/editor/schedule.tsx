import { lazy, Suspense, useState } from 'react'
import { useAnswer } from '../../session/answers.ts'
import { api } from '../../session/api.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { Refusal } from '../../ui/problem.tsx'
import { sendTimeOf } from '../../ui/send-time.ts'
import { type ContentType, isPost, type Status } from '../items.ts'
import { updateItem } from '../items-api.ts'
import { type EditorState, fieldsOf, type Saved } from './fields.ts'
import { Conflict } from './refusal.tsx'
import { useIsFuture } from './use-save.ts'

/** Shared with the form of the publication date. */
const loadFields = () => import('../../ui/day-field.tsx')
const DayField = lazy(loadFields)
const TimeOfDay = lazy(async () => ({ default: (await loadFields()).TimeOfDay }))

/** The moments of a schedule that an item in a state may have, in their order (C15). */
const PARTS = {
  Draft: ['publishAt', 'archiveAt'],
  Live: ['archiveAt'],
  Archived: [],
} as const satisfies Readonly<Record<Status, ReadonlyArray<Part>>>

type Part = 'publishAt' | 'archiveAt'

/** A moment as it is typed; both texts are empty where there is none. */
export interface Typed {
  readonly day: string
  readonly time: string
}

const readSchedule = async (contentType: ContentType, itemId: string, signal: AbortSignal) => {
  const asked = { query: { itemId, include: 'schedule' }, signal } as const
  const { data, ...rest } =
    contentType === 'library' ? await api.get('/library/', asked) : await api.get('/feed/', asked)
  const { publishAt = '', archiveAt = '' } = data.items[0]?.item.schedule ?? {}
  return { ...rest, data: { publishAt, archiveAt } }
}

/** Returns a moment on the clocks of a zone. */
export const typedOf = (moment: string, timeZone: string): Typed => {
  if (moment === '') return { day: '', time: '' }
  const style = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', style).format(new Date(moment)).split(' ')
  return { day, time }
}

/** Returns a typed moment in seconds; an empty text where there is none, undefined where it is incomplete. */
export const secondsOf = ({ day, time }: Typed, zone: string): string | undefined => {
  if (day === '' && time === '') return ''
  const moment = sendTimeOf({ day, time, zone, isSecond: false })?.moment
  return moment && String(Math.floor(moment.getTime() / 1000))
}

/** The day and the time of a moment. */
export const MomentFields = ({
  id,
  labels,
  typed,
  onChange,
}: {
  readonly id: string
  readonly labels: { readonly day: string; readonly time: string }
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}) => (
  <div className="schedule-moment">
    <Suspense fallback={<p className="day-field label">{labels.day}</p>}>
      <DayField
        id={id}
        label={labels.day}
        value={typed.day}
        errors={[]}
        onChange={(day) => onChange({ day })}
      />
    </Suspense>
    <Suspense fallback={<p className="day-field label">{labels.time}</p>}>
      <TimeOfDay label={labels.time} value={typed.time} onChange={(time) => onChange({ time })} />
    </Suspense>
  </div>
)

const ScheduleForm = ({
  saved,
  present,
  onSaved,
}: {
  readonly saved: Saved
  readonly present: Readonly<Record<Part, string>>
  readonly onSaved: () => Promise<void>
}) => {
  const { schedule: words } = useMessages()
  const { timeZone } = useSession().session
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const [typed, setTyped] = useState({
    publishAt: typedOf(present.publishAt, timeZone),
    archiveAt: typedOf(present.archiveAt, timeZone),
  })
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const { item, etag } = saved
  const contentType = isPost(item) ? 'feed' : 'library'
  const parts: ReadonlyArray<Part> = PARTS[item.status]
  const values = parts.map((part) => [part, secondsOf(typed[part], timeZone)] as const)
  const isComplete = values.every(([, value]) => value !== undefined)
  const save = async () => {
    if (isBusy || !isComplete) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { ...fieldsOf(item), status: item.status, ...Object.fromEntries(values) }
      await updateItem(contentType, item.itemId, body, etag)
      showToast({ text: values.every(([, value]) => value === '') ? words.cleared : words.done })
      await onSaved()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <fieldset className="schedule">
      <legend className="label">{words.title}</legend>
      {parts.map((part) => (
        <MomentFields
          key={part}
          id={`field-${part}`}
          labels={words[part]}
          typed={typed[part]}
          onChange={(change) => setTyped((before) => ({ ...before, [part]: { ...before[part], ...change } }))}
        />
      ))}
      <p className="hint">{words.hint(timeZone.replaceAll('_', ' '))}</p>
      {parts.map(
        (part) => present[part] !== '' && <p key={part}>{words[part].set(momentOf(present[part]))}</p>,
      )}
      {!isComplete && <p className="field-errors">{words.incomplete}</p>}
      <Refusal error={failure} />
      <Conflict error={failure} subject={{ contentType, itemId: item.itemId }} />
      <div className="actions">
        <Button isDisabled={isBusy} onPress={() => void save()}>
          {words.save}
        </Button>
      </div>
    </fieldset>
  )
}

/** Says what a publication date in the future does, and does not do (C9). */
const FutureDate = ({ day }: { readonly day: string }) => {
  const { schedule: words } = useMessages()
  const { embargo } = useSession().session
  const isFuture = useIsFuture()
  if (!isFuture(day)) return null
  return (
    <p className="hint" role="status">
      {embargo ? words.embargo : words.future}
    </p>
  )
}

const SavedSchedule = ({
  contentType,
  saved,
  onSaved,
}: {
  readonly contentType: ContentType
  readonly saved: Saved
  readonly onSaved: () => Promise<void>
}) => {
  const { itemId, status, updatedAt } = saved.item
  const { answer } = useAnswer(`schedule ${contentType}/${itemId} ${updatedAt}`, (signal) =>
    readSchedule(contentType, itemId, signal),
  )
  if (status === 'Archived' || answer === undefined) return null
  const { publishAt, archiveAt } = answer.data
  const key = `${status} ${publishAt} ${archiveAt}`
  return <ScheduleForm key={key} saved={saved} present={answer.data} onSaved={onSaved} />
}

/** What the publication date does, and when an item is published and archived by itself (C15). An archived one, and a new one, have no schedule. */
export const Schedule = ({
  contentType,
  state: { fields, saved },
  onSaved,
}: {
  readonly contentType: ContentType
  readonly state: EditorState
  readonly onSaved: () => Promise<void>
}) => (
  <>
    <FutureDate day={fields.itemPublicationDate ?? ''} />
    {saved !== undefined && <SavedSchedule contentType={contentType} saved={saved} onSaved={onSaved} />}
  </>
)
