import { useLocaleName, useSession } from '../app/session.tsx'

/** Returns a function that writes a moment in the person's language and the service's time zone. */
export const useMoment = (): ((moment: string) => string) => {
  const { timeZone } = useSession().session
  const format = new Intl.DateTimeFormat(useLocaleName(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  })
  return (moment) => format.format(new Date(moment))
}
