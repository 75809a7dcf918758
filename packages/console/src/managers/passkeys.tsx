import { type SubmitEvent, useState } from 'react'
import { useActs, useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { useMessages } from '../session/session.tsx'
import { addPasskey, listMethods } from '../session/sign-in-methods.ts'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Refusal } from '../ui/problem.tsx'
import { PasskeyFacts } from './credentials.tsx'

/** Lists one's own passkeys; undefined where the server or the browser has none. */
const listPasskeys = async (signal: AbortSignal) => {
  const isPossible = (await listMethods(signal)).includes('passkey')
  if (!isPossible) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/passkeys', { signal })
  return { ...answer, data: answer.data.passkeys.map(({ passkey }) => passkey) }
}

type Passkey = NonNullable<Awaited<ReturnType<typeof listPasskeys>>['data']>[number]

/** Changes the name of a passkey. */
const renamePasskey = (id: string, name: string) =>
  consoleApi.put('/passkeys/{id}', { path: { id }, body: { name } })

/** Deletes a passkey. */
const removePasskey = (id: string) => consoleApi.delete('/passkeys/{id}', { path: { id } })

const PasskeyRow = ({
  passkey,
  onRename,
  onRemove,
}: {
  readonly passkey: Passkey
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}) => {
  const { id, name } = passkey
  const { passkeys: words } = useMessages()
  const [isEditing, setEditing] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setEditing(false)
    onRename(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <li>
      {isEditing ? (
        <form className="text-field" onSubmit={submit}>
          <label className="label" htmlFor={`name-${id}`}>
            {words.name}
          </label>
          <input id={`name-${id}`} name="name" defaultValue={name} maxLength={100} required />
          <div className="actions">
            <Button type="submit">{words.save}</Button>
          </div>
        </form>
      ) : (
        <>
          <PasskeyFacts passkey={passkey} />
          <div className="actions">
            <Button
              kind="quiet"
              aria-label={words.actLabel(words.rename, name)}
              onPress={() => setEditing(true)}
            >
              {words.rename}
            </Button>
            <Button kind="quiet" aria-label={words.actLabel(words.remove, name)} onPress={onRemove}>
              {words.remove}
            </Button>
          </div>
        </>
      )}
    </li>
  )
}

/** The person's passkeys: add, rename, remove (M3). Adding and removing one need a recent proof of presence (M4). */
export const Passkeys = () => {
  const { passkeys: words } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('passkeys', listPasskeys)
  const [removed, setRemoved] = useState<Passkey>()
  const all = answer?.data
  const add = () =>
    void run(addPasskey, () => {
      reload()
      showToast({ text: words.added })
    })
  return (
    <section className="account-part" aria-labelledby="passkeys">
      <h2 id="passkeys">{words.title}</h2>
      <p>{words.text}</p>
      {answer !== undefined && all === undefined && <p className="hint">{words.impossible}</p>}
      {all?.length === 0 && <p className="hint">{words.none}</p>}
      {all !== undefined && all.length > 0 && (
        <ul className="sessions" aria-label={words.list}>
          {all.map((passkey) => (
            <PasskeyRow
              key={`${passkey.id} ${passkey.name}`}
              passkey={passkey}
              onRename={(name) => void run(() => renamePasskey(passkey.id, name), reload)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      )}
      <Refusal error={refused} />
      {all !== undefined && (
        <Button kind={all.length === 0 ? 'primary' : 'plain'} isDisabled={isBusy} onPress={add}>
          {words.add}
        </Button>
      )}
      {removed !== undefined && (
        <ConfirmDialog
          title={words.removeTitle(removed.name)}
          confirm={words.removeConfirm}
          isDangerous
          onCancel={() => setRemoved(undefined)}
          onConfirm={() => {
            setRemoved(undefined)
            void run(() => removePasskey(removed.id), reload)
          }}
        >
          <p>{words.removeText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
