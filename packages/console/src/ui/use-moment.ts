import { useLocaleName, useSession } from '../app/session.tsx'

type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>

/** Returns a function that writes a moment in the person's language and time zone. */
export const useMoment = (
  style: Style = { dateStyle: 'medium', timeStyle: 'short' },
): ((moment: string) => string) => {
  const { timeZone } = useSession().session
  const format = new Intl.DateTimeFormat(useLocaleName(), { ...style, timeZone })
  return (moment) => format.format(new Date(moment))
}
