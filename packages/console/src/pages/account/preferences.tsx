import { consoleApi } from '../../session/api.ts'
import { type Language, useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { SelectField } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { errorTexts } from '../../ui/problem.tsx'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const

/** Returns the names of all time zones that the browser knows, and that of the person, by their order in the alphabet. */
const zonesWith = (own: string): ReadonlyArray<string> =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(own === '' ? [] : [own])])].sort()

const nameOf = (zone: string): string => zone.replaceAll('_', ' ')

/** Language and time zone of the pages, which the server stores with the person. */
export const Preferences = () => {
  const messages = useMessages()
  const { account } = messages
  const { session, setLanguage, setSession } = useSession()
  const locale = useLocaleName()
  const { manager, timeZone, serviceTimeZone } = session
  const now = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format()
  const options = [
    { value: '', label: account.serviceZone(nameOf(serviceTimeZone)) },
    ...zonesWith(manager.timeZone).map((value) => ({ value, label: nameOf(value) })),
  ]
  const choose = (zone: string): void => {
    consoleApi.put('/session/time-zone', { body: { timeZone: zone } }).then(
      ({ data }) => setSession(data.session),
      (error: unknown) => showToast({ text: errorTexts(error, messages).join(' ') }),
    )
  }
  return (
    <>
      <Choice
        label={account.language}
        value={manager.language}
        options={LANGUAGES}
        onChange={(value) => setLanguage(value as Language)}
      />
      <div>
        <SelectField label={account.zone} value={manager.timeZone} options={options} onChange={choose} />
        <p className="hint">{account.zoneHint(now)}</p>
      </div>
    </>
  )
}
