import { lazy, Suspense } from 'react'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { clockChange, offsetAt, offsetText, sendTimeOf } from '../../ui/send-time.ts'
import { ZoneField } from '../../ui/zone-field.tsx'
import type { TimeDraft } from './draft.ts'

/** Returns how a moment is written on the clocks of a zone, with the zone, its name at that moment and its offset. */
export const useMomentText = () => {
  const locale = useLocaleName()
  const { composer: words } = useMessages()
  return (moment: Date, timeZone: string): string => {
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }).format(moment)
    const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(moment)
    const name = new Intl.DateTimeFormat(locale, { timeZoneName: 'long', timeZone })
      .formatToParts(moment)
      .find(({ type }) => type === 'timeZoneName')?.value
    const offset = offsetText(offsetAt(moment.getTime(), timeZone))
    // Of some zones there is only the offset, as "GMT-3", or the zone is the offset.
    const parts = [timeZone.replaceAll('_', ' '), name, offset].filter(
      (part) => part !== undefined && !/^GMT[+-]/.test(part),
    )
    return words.moment(day, time, [...new Set(parts)].join(', '))
  }
}

/** Shared with the editor, which loads it when it is needed. */
const loadFields = () => import('../../ui/day-field.tsx')
const DayField = lazy(loadFields)
const TimeOfDay = lazy(async () => ({ default: (await loadFields()).TimeOfDay }))

/** What the chosen time means: the moment with its offset, and everything unusual about it. */
const Meaning = ({
  time,
  onChange,
}: {
  readonly time: TimeDraft
  readonly onChange: (change: Partial<TimeDraft>) => void
}) => {
  const { composer: words } = useMessages()
  const momentText = useMomentText()
  const sendTime = sendTimeOf(time)
  const now = new Date()
  if (sendTime === undefined) return <p className="field-errors">{words.noTime}</p>
  const { kind, moment } = sendTime
  const change = clockChange(now, moment, time.zone)
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <div className="meaning" role="status">
        <p>
          <strong>{momentText(moment, time.zone)}</strong>
        </p>
        {kind === 'missing' && <p>{words.missingHour(time.time)}</p>}
        {kind === 'twice' && <p>{words.twiceHour(time.time)}</p>}
        {change !== undefined && (
          <p className="hint">
            {words.clockChange(
              momentText(change, time.zone),
              offsetText(offsetAt(now.getTime(), time.zone)),
              offsetText(offsetAt(moment.getTime(), time.zone)),
            )}
          </p>
        )}
        {offsetAt(moment.getTime(), own) !== offsetAt(moment.getTime(), time.zone) && (
          <p className="hint">{words.ownTime(momentText(moment, own))}</p>
        )}
        {moment <= now && <p>{words.past}</p>}
      </div>
      {kind === 'twice' && (
        <Choice
          label={words.which}
          value={time.isSecond ? 'second' : 'first'}
          options={[
            { value: 'first', label: words.first },
            { value: 'second', label: words.second },
          ]}
          onChange={(which) => onChange({ isSecond: which === 'second' })}
        />
      )}
    </>
  )
}

/** When the notifications go out, on the clocks of a named zone. */
export const TimeFields = ({
  time,
  onChange,
}: {
  readonly time: TimeDraft
  readonly onChange: (change: Partial<TimeDraft>) => void
}) => {
  const { composer: words } = useMessages()
  const { timeZone, serviceTimeZone } = useSession().session
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <section className="time-fields" aria-labelledby="time-head">
      <h2 id="time-head">{words.when}</h2>
      <Choice
        label={words.begin}
        value={time.when}
        options={[
          { value: 'at', label: words.at },
          { value: 'now', label: words.now },
        ]}
        onChange={(when) => onChange({ when: when === 'now' ? 'now' : 'at' })}
      />
      {time.when === 'at' && (
        <>
          <div className="time-grid">
            <Suspense fallback={<p className="day-field label">{words.day}</p>}>
              <DayField
                id="send-day"
                label={words.day}
                value={time.day}
                onChange={(day) => onChange({ day })}
                errors={[]}
              />
            </Suspense>
            <Suspense fallback={<p className="day-field label">{words.time}</p>}>
              <TimeOfDay label={words.time} value={time.time} onChange={(next) => onChange({ time: next })} />
            </Suspense>
            <ZoneField
              label={words.zone}
              value={time.zone}
              first={[timeZone, serviceTimeZone, own]}
              onChange={(zone) => onChange({ zone })}
            />
          </div>
          <Meaning time={time} onChange={onChange} />
        </>
      )}
    </section>
  )
}
