import { useLocaleName, useMessages } from '../../session/session.tsx'
import { offsetAt, offsetText } from './send-time.ts'

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
