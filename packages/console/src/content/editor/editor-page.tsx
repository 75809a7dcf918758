import { useEffect, useRef } from 'react'
import { useOnce } from '../../session/answers.ts'
import { newId } from '../../session/api.ts'
import type { PageProps } from '../../session/match.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type ContentType, itemIdOf, NEW_COPY } from '../items.ts'
import { Unfinished } from './copy-notices.tsx'
import { type Fields, newFields } from './fields.ts'
import { ItemEditor } from './item-editor.tsx'
import { loadItem, loadNew } from './use-editor.ts'

/** Returns the current day in a time zone, as YYYY-MM-DD. */
const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format()

interface EditorProps {
  readonly contentType: ContentType
  readonly itemId: string | undefined
}

const Loading = () => <p className="loading">{useMessages().loading}</p>

/** Returns the fields of a new item in the person's language. */
const useNewFields = (contentType: ContentType): Fields => {
  const { manager, timeZone } = useSession().session
  return newFields(contentType, manager.language, todayIn(timeZone))
}

/** Loads an item for its editor. Later versions come through the editor, which merges them. */
const ExistingItem = ({
  contentType,
  itemId,
}: {
  readonly contentType: ContentType
  readonly itemId: string
}) => {
  const { editor } = useMessages()
  const created = useNewFields(contentType)
  const { data, error, retry } = useOnce(`${contentType}/${itemId}`, async () => ({
    start: await loadItem(contentType, itemId, created),
  }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <Loading />
  if (data.start === undefined)
    return (
      <div className="page narrow">
        <h1>{editor.goneTitle}</h1>
        <p>{editor.goneText}</p>
      </div>
    )
  return <ItemEditor contentType={contentType} start={data.start} created={created} />
}

/** Loads the working copy of a new item, which is empty unless the person has begun it before. */
const NewItem = ({
  contentType,
  copyKey,
  onCreated,
}: {
  readonly contentType: ContentType
  readonly copyKey: string
  readonly onCreated: (itemId: string) => void
}) => {
  const created = useNewFields(contentType)
  const { data, error, retry } = useOnce(copyKey, () => loadNew(contentType, copyKey, created))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <Loading />
  return (
    <ItemEditor
      contentType={contentType}
      start={data.start}
      created={created}
      newKey={copyKey}
      onCreated={onCreated}
      notice={<Unfinished copies={data.others} />}
    />
  )
}

/** Gives a new item the key of its working copy in its address, so that a reload finds it. */
const NameCopy = () => {
  const url = useUrl()
  useEffect(() => goTo(withQuery(url, { [NEW_COPY]: `new-${newId()}` }), 'replace'), [url])
  return <Loading />
}

/** The page of an item, or of a new one. It stays when the new item gets its address. */
const EditorPage = ({ contentType, itemId }: EditorProps) => {
  const created = useRef<{ readonly itemId: string; readonly copyKey: string }>(undefined)
  const copyInUrl = useUrl().searchParams.get(NEW_COPY)
  if (itemId !== undefined && itemId !== created.current?.itemId)
    return <ExistingItem key={itemId} contentType={contentType} itemId={itemId} />
  const copyKey = itemId === undefined ? copyInUrl : (created.current?.copyKey ?? null)
  if (copyKey === null) return <NameCopy />
  return (
    <NewItem
      key={copyKey}
      contentType={contentType}
      copyKey={copyKey}
      onCreated={(id) => {
        created.current = { itemId: id, copyKey }
      }}
    />
  )
}

export const LibraryItemPage = ({ params }: PageProps) => (
  <EditorPage contentType="library" itemId={itemIdOf(params['id'])} />
)

export const FeedItemPage = ({ params }: PageProps) => (
  <EditorPage contentType="feed" itemId={itemIdOf(params['id'])} />
)
