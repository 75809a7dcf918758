import { useState } from 'react'
import { AddDialog } from '../../clients/add-dialog.tsx'
import { ClientCard } from '../../clients/client-card.tsx'
import { type Credentials, listClients } from '../../clients/clients-api.ts'
import { SecretDialog } from '../../clients/secret-dialog.tsx'
import { useActs, useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'

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
    setCredentials(shown)
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
