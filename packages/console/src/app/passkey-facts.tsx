import { useMoment } from '../ui/use-moment.ts'
import { useMessages } from './session.tsx'

/** Shows the name of a passkey, and when it was added and last used. */
export const PasskeyFacts = ({
  passkey: { name, createdAt, lastUsedAt },
}: {
  readonly passkey: { readonly name: string; readonly createdAt: string; readonly lastUsedAt: string }
}) => {
  const { passkeys: words } = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium' })
  return (
    <>
      <strong>{name}</strong>
      <p className="hint">
        {words.created(dayOf(createdAt))}
        {lastUsedAt !== '' && ` · ${words.used(dayOf(lastUsedAt))}`}
      </p>
    </>
  )
}
