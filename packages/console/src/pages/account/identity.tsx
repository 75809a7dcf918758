import { useState } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { consoleApi } from '../../session/api.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { Refusal } from '../../ui/problem.tsx'

/** Reads one's own account of the identity provider; undefined where the server offers none. */
const readIdentity = async (email: string, signal: AbortSignal) => {
  const { data } = await consoleApi.get('/sign-in/methods', { signal })
  if (!data.methods.includes('oidc')) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/identities', { signal })
  const own = answer.data.identities.find(({ identity }) => identity.email === email)
  return { ...answer, data: { identity: own?.identity } }
}

/** The account of the organization that signs the person in (M3). Unlinking it needs a recent proof of presence (M4). */
export const Identity = () => {
  const { identities: words } = useMessages()
  const { manager } = useSession().session
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('own identity', (signal) => readIdentity(manager.email, signal))
  const [isAsked, setAsked] = useState(false)
  const dayOf = useMoment({ dateStyle: 'medium' })
  if (answer?.data === undefined) return undefined
  const { identity } = answer.data
  const unlink = () => {
    setAsked(false)
    void run(() => consoleApi.delete('/identities/{email}', { path: { email: manager.email } }), reload)
  }
  return (
    <section className="account-part" aria-labelledby="identity">
      <h2 id="identity">{words.title}</h2>
      <p>{words.text}</p>
      <p className="hint">
        {identity === undefined
          ? words.none
          : words.linked(new URL(identity.issuer).host, dayOf(identity.linkedAt), dayOf(identity.lastUsedAt))}
      </p>
      <Refusal error={refused} />
      {identity !== undefined && (
        <Button isDisabled={isBusy} onPress={() => setAsked(true)}>
          {words.unlink}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={words.unlinkTitle}
          confirm={words.unlink}
          onCancel={() => setAsked(false)}
          onConfirm={unlink}
        >
          <p>{words.unlinkText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
