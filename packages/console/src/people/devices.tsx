import { useMessages, useMoment } from '../session/session.tsx'
import type { Person } from './people-api.ts'

/** The devices of a person, without tokens: kind, language, and when each was last seen. Removed ones come last. */
export const Devices = ({ person: { devices, removedDevices } }: { readonly person: Person }) => {
  const { person: words, languages } = useMessages()
  const moment = useMoment()
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const all = [...devices.map((device) => ({ ...device, removedAt: undefined })), ...removedDevices]
  return (
    <section className="person-part">
      <h2>{words.devices}</h2>
      {all.length === 0 ? (
        <p className="hint">{words.noDevices}</p>
      ) : (
        <ul className="rows" aria-label={words.devices}>
          {all.map(({ kind, lang, lastSeenAt, removedAt }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: devices have no name here, because tokens stay on the server
            <li key={at} className="row person-row">
              <div>
                <strong>{kinds[kind] ?? kind}</strong>
                <p className="meta">
                  {lang !== null && <span>{languages[lang]}</span>}
                  <span>{words.lastSeen(moment(lastSeenAt))}</span>
                  {removedAt !== undefined && <span>{words.removed(moment(removedAt))}</span>}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
