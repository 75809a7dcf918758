import { useMessages } from '../../session/session.tsx'
import { devicesOf, type Preview } from './composer-api.ts'

/** How many devices would get it now, by kind. */
export const Recipients = ({ preview }: { readonly preview: Preview }) => {
  const { composer: words, notifications } = useMessages()
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const all = devicesOf(preview)
  return (
    <div className="recipients">
      <p>
        <strong>{all === 0 ? words.noDevices : notifications.devices(all)}</strong>
      </p>
      <ul>
        {preview.recipients.map(({ kind, devices }) => (
          <li key={kind}>
            <span>{kinds[kind] ?? kind}</span>
            <span>{words.number(devices)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
