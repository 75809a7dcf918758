import { FieldChanges } from '../../content/history/field-changes.tsx'
import { at } from '../../paths.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import type { AuditRecord } from './audit-api.ts'

/** The pages of subjects. What was deleted or erased has a page that says so. */
const PATHS: Readonly<Partial<Record<AuditRecord['subject']['kind'], (id: string) => string>>> = {
  library: (id) => `library/${id}/history`,
  feed: (id) => `feed/${id}/history`,
  notification: (id) => `notifications/${id}`,
  user: (id) => `people/${id}`,
  client: () => 'clients',
  provider: () => 'operations',
}

/** What changed, as a link to its page where it has one. */
const Subject = ({ subject: { kind, id } }: Pick<AuditRecord, 'subject'>) => {
  const { audit: words } = useMessages()
  const text = id === '' ? words.subjects[kind] : `${words.subjects[kind]} ${id}`
  const path = PATHS[kind]?.(id)
  return path === undefined ? text : <a href={at(`/console/${path}`)}>{text}</a>
}

/** Names the language of a person differently from that of a text. */
const namedFields = ({ subject, changes }: AuditRecord): AuditRecord['changes'] =>
  subject.kind === 'user' || subject.kind === 'manager'
    ? changes.map((change) => (change.field === 'lang' ? { ...change, field: 'language' } : change))
    : changes

/** One change: when, what, by whom, about what, and the changed fields behind. */
export const AuditEntry = ({
  record,
  people,
}: {
  readonly record: AuditRecord
  readonly people: ReadonlyMap<string, string>
}) => {
  const { audit: words, history } = useMessages()
  const { manager } = useSession().session
  const momentOf = useMoment({ dateStyle: 'medium', timeStyle: 'medium' })
  const { at, actor, action, subject, changes } = record
  const name = actor.kind === 'person' ? people.get(actor.id) : undefined
  return (
    <li className="audit-record">
      <div className="audit-act">
        <h2>{words.actions[action]}</h2>
        <p>
          <Subject subject={subject} />
        </p>
        <p className="hint">
          <time dateTime={at}>{momentOf(at)}</time>
          <span>{name ?? history.actors[actor.kind](actor.id)}</span>
        </p>
      </div>
      {changes.length > 0 && (
        <details>
          <summary>{words.changed}</summary>
          <FieldChanges changes={namedFields(record)} lang={manager.language} />
        </details>
      )}
    </li>
  )
}
