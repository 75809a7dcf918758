import { useRef } from 'react'
import { useMessages, useSession } from '../../app/session.tsx'
import { useAnswer } from '../../app/use-answer.ts'
import { Problem } from '../../ui/problem.tsx'
import type { ContentType } from '../items.ts'
import { readItem } from '../items-api.ts'
import { fieldsOf, newFields } from './fields.ts'
import { ItemEditor } from './item-editor.tsx'
import type { Saved } from './use-editor.ts'

/** Returns the current day in a time zone, as YYYY-MM-DD. */
const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format()

interface Created {
  readonly itemId: string
  readonly key: string
}

interface EditorProps {
  readonly contentType: ContentType
  readonly itemId: string | undefined
}

/** Reads an item for its editor. Later versions come through the editor, which merges them. */
const ExistingItem = ({
  contentType,
  itemId,
}: {
  readonly contentType: ContentType
  readonly itemId: string
}) => {
  const messages = useMessages()
  const first = useRef<Saved>(undefined)
  const { answer, error, reload } = useAnswer(`${contentType}/${itemId}`, (signal) =>
    readItem(contentType, itemId, signal),
  )
  if (error !== undefined && answer === undefined) return <Problem error={error} onRetry={reload} />
  if (answer === undefined) return <p className="loading">{messages.loading}</p>
  if (answer.data !== undefined) first.current ??= { item: answer.data, etag: answer.etag }
  if (first.current === undefined)
    return (
      <div className="page narrow">
        <h1>{messages.editor.goneTitle}</h1>
        <p>{messages.editor.goneText}</p>
      </div>
    )
  return <ItemEditor contentType={contentType} saved={first.current} fields={fieldsOf(first.current.item)} />
}

/** The page of an item, or of a new one. It stays when the new item gets its address. */
export const EditorPage = ({ contentType, itemId }: EditorProps) => {
  const { session } = useSession()
  const created = useRef<Created>(undefined)
  const isCreatedHere = itemId !== undefined && itemId === created.current?.itemId
  if (itemId !== undefined && !isCreatedHere)
    return <ExistingItem key={itemId} contentType={contentType} itemId={itemId} />
  const key = isCreatedHere ? (created.current?.key ?? '') : `new-${created.current?.itemId ?? ''}`
  return (
    <ItemEditor
      key={key}
      contentType={contentType}
      saved={undefined}
      fields={newFields(contentType, session.manager.language, todayIn(session.timeZone))}
      onCreated={(id) => {
        created.current = { itemId: id, key }
      }}
    />
  )
}
