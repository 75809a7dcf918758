import { useState } from 'react'
import { type Acts, useActs, useAnswer } from '../session/answers.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Problem, Refusal } from '../ui/problem.tsx'
import { AddDialog, RotateDialog, SecretDialog } from './client-dialogs.tsx'
import { type Client, type Credentials, disableClient, listClients, rotateClient } from './clients-api.ts'

/** Scopes from the strongest on: each includes the later ones (A2). */
const SCOPES = ['content-manager', 'user-donor', 'user'] as const

const Facts = ({ client }: { readonly client: Client }) => {
  const { clients: words } = useMessages()
  const moment = useMoment()
  const { scopes, roles, email, people, audience, lastUsedAt, oldUntil } = client
  const strongest = SCOPES.find((scope) => scopes.includes(scope))
  const rights = [
    ...(strongest === undefined ? [] : [words.scopes[strongest]]),
    ...roles.map((role) => words.roles[role]),
    ...(people === 'no' ? [] : [words.actsForPeople[people]]),
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
      {audience !== '' && (
        <>
          <dt>{words.audience}</dt>
          <dd>{audience}</dd>
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
const ClientCard = ({
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
        {client.people !== 'public' && <Button onPress={() => setAsking('rotate')}>{words.rotate}</Button>}
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
          isDangerous
          onConfirm={() => setDisabled(true)}
          onCancel={close}
        >
          <p>{words.disableText}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** The clients of the API: add, rotate the secret, disable, enable. */
export const ClientsPage = () => {
  const messages = useMessages()
  const { clients: words } = messages
  const { answer, error, reload } = useAnswer('clients', listClients)
  const [isAdding, setIsAdding] = useState(false)
  const [credentials, setCredentials] = useState<Credentials>()
  const { refused, run } = useActs()
  const show = (shown: Credentials) => {
    setIsAdding(false)
    if (shown.secret === '') showToast({ text: words.addedPublic(shown.clientId) })
    else setCredentials(shown)
  }
  const all = answer?.data.clients
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{words.title}</h1>
          <p className="hint">{words.intro}</p>
        </div>
        <Button kind="primary" onPress={() => setIsAdding(true)}>
          <Icon name="add" />
          {words.add}
        </Button>
      </div>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      <Refusal error={refused} />
      {all === undefined && error === undefined && <p className="loading">{messages.loading}</p>}
      {all?.length === 0 && (
        <div className="empty">
          <p>{words.empty}</p>
        </div>
      )}
      <ul className="client-cards" aria-label={words.title}>
        {all?.map(({ client }) => (
          <ClientCard key={client.clientId} client={client} onSecret={show} run={run} />
        ))}
      </ul>
      {isAdding && <AddDialog onAdded={show} onCancel={() => setIsAdding(false)} />}
      {credentials !== undefined && (
        <SecretDialog credentials={credentials} onClose={() => setCredentials(undefined)} />
      )}
    </div>
  )
}
