import { useState } from 'react'
import type { Acts } from '../session/answers.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { type Client, type Credentials, disableClient, rotateClient } from './clients-api.ts'
import { RotateDialog } from './rotate-dialog.tsx'

/** Scopes from the strongest on: each includes the later ones (A2). */
const SCOPES = ['content-manager', 'user-donor', 'user'] as const

const Facts = ({ client }: { readonly client: Client }) => {
  const { clients: words } = useMessages()
  const moment = useMoment()
  const { scopes, roles, email, lastUsedAt, oldUntil } = client
  const strongest = SCOPES.find((scope) => scopes.includes(scope))
  const rights = [
    ...(strongest === undefined ? [] : [words.scopes[strongest]]),
    ...roles.map((role) => words.roles[role]),
  ]
  return (
    <dl className="facts">
      <dt>{words.rights}</dt>
      <dd>
        <ul>
          {rights.map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
      </dd>
      {email !== '' && (
        <>
          <dt>{words.actsFor}</dt>
          <dd>{email}</dd>
        </>
      )}
      <dt>{words.lastUsed}</dt>
      <dd>{lastUsedAt === null ? words.neverUsed : moment(lastUsedAt)}</dd>
      {oldUntil !== null && (
        <>
          <dt>{words.oldUntil}</dt>
          <dd>{moment(oldUntil)}</dd>
        </>
      )}
    </dl>
  )
}

/** A client with its rights, its last use and the acts on it. */
export const ClientCard = ({
  client,
  onSecret,
  run,
}: {
  readonly client: Client
  readonly onSecret: (credentials: Credentials) => void
  readonly run: Acts['run']
}) => {
  const { clients: words } = useMessages()
  const [asking, setAsking] = useState<'rotate' | 'disable'>()
  const { clientId, name, disabled } = client
  const close = () => setAsking(undefined)
  const rotate = (keepOld: number) => {
    close()
    void run(() => rotateClient(clientId, keepOld), onSecret)
  }
  const setDisabled = (next: boolean) => {
    close()
    const done = next ? words.disabledDone : words.enabledDone
    void run(
      () => disableClient(clientId, next),
      () => showToast({ text: done(name) }),
    )
  }
  return (
    <li className="client-card">
      <div className="page-head">
        <div>
          <h2 id={`client-${clientId}`}>{name}</h2>
          <p className="hint">{clientId}</p>
        </div>
        <span className={`status ${disabled ? 'archived' : 'live'}`}>
          {disabled ? words.disabled : words.enabled}
        </span>
      </div>
      <Facts client={client} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would say that these are fields */}
      <div className="actions" role="group" aria-labelledby={`client-${clientId}`}>
        <Button onPress={() => setAsking('rotate')}>{words.rotate}</Button>
        {disabled ? (
          <Button onPress={() => setDisabled(false)}>{words.enable}</Button>
        ) : (
          <Button onPress={() => setAsking('disable')}>{words.disable}</Button>
        )}
      </div>
      {asking === 'rotate' && <RotateDialog client={client} onRotate={rotate} onCancel={close} />}
      {asking === 'disable' && (
        <ConfirmDialog
          title={words.disableTitle(name)}
          confirm={words.disableConfirm}
          onConfirm={() => setDisabled(true)}
          onCancel={close}
        >
          <p>{words.disableText}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
