import { useState } from 'react'
import { changes, useAnswer } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { usePageTitle } from '../../session/router.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { BackLink, Button, Icon } from '../../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../../ui/overlays.tsx'
import { errorTexts, Problem } from '../../ui/problem.tsx'
import { Conflict } from '../editor/refusal.tsx'
import { type ContentType, pathOf } from '../items.ts'
import { readItem } from '../items-api.ts'
import { FieldChanges } from './field-changes.tsx'
import { listRevisions, type Revision, restoreRevision, usePeople } from './history-api.ts'

/** Restores revisions of an item. */
interface Restoring {
  /** Why the server refused the latest attempt. */
  readonly refused: unknown
  /** Restores a revision, and offers to go back to the one that was the latest. */
  readonly restore: (revision: Revision, latest: Revision, etag: string | undefined) => Promise<void>
}

/** Returns the means to restore revisions of an item. A restore is a change like any other, so it is undone by another one. */
const useRestore = (contentType: ContentType, itemId: string): Restoring => {
  const { history, queue } = useMessages()
  const [refused, setRefused] = useState<unknown>()
  const run = async (number: number, etag: string | undefined) => {
    setRefused(undefined)
    try {
      return { etag: await restoreRevision(contentType, itemId, number, etag) }
    } catch (error) {
      setRefused(error)
      return undefined
    } finally {
      changes.report()
    }
  }
  return {
    refused,
    restore: async (revision, latest, etag) => {
      const restored = await run(revision.number, etag)
      if (restored === undefined) return
      const undo = () => void run(latest.number, restored.etag)
      showToast({ text: history.done, action: { label: queue.undo, run: undo } })
    },
  }
}

/** Revisions that are shown at first, and how many more each time. */
const STEP = 20

const MOMENT = { dateStyle: 'long', timeStyle: 'short' } as const

const Entry = ({
  revision,
  people,
  lang,
  onRestore,
}: {
  readonly revision: Revision
  readonly people: ReadonlyMap<string, string>
  readonly lang: string
  /** Undefined for the latest revision, which the item has. */
  readonly onRestore: (() => void) | undefined
}) => {
  const { history: words } = useMessages()
  const momentOf = useMoment(MOMENT)
  const { number, at, actor, action, changes } = revision
  const name = actor.kind === 'person' ? people.get(actor.id) : undefined
  const who = name ?? words.actors[actor.kind](actor.id)
  const actions: Readonly<Record<string, string>> = words.actions
  return (
    <li className="revision">
      <div className="revision-head">
        <div>
          <h2>
            <time dateTime={at}>{momentOf(at)}</time>
          </h2>
          <p className="hint">
            {actions[action] ?? action} · {who}
          </p>
        </div>
        {onRestore === undefined ? (
          <span className="tag">{words.current}</span>
        ) : (
          <Button aria-label={words.restoreLabel(number, momentOf(at))} onPress={onRestore}>
            <Icon name="undo" />
            {words.restore}
          </Button>
        )}
      </div>
      <FieldChanges changes={changes} lang={lang} />
    </li>
  )
}

/** The history of an item: who changed what and when, with the means to restore each version. */
const HistoryPage = ({
  contentType,
  itemId,
}: {
  readonly contentType: ContentType
  readonly itemId: string
}) => {
  const messages = useMessages()
  const words = messages.history
  const momentOf = useMoment(MOMENT)
  const [lim, setLim] = useState(STEP)
  const [chosen, setChosen] = useState<Revision>()
  const item = useAnswer(`${contentType}/${itemId}`, (signal) => readItem(contentType, itemId, signal))
  const list = useAnswer(`${contentType}/${itemId}/history ${lim}`, (signal) =>
    listRevisions(contentType, itemId, lim, signal),
  )
  const people = usePeople()
  const { refused, restore } = useRestore(contentType, itemId)
  const revisions = list.answer?.data.revisions ?? []
  const [latest] = revisions
  const lang = item.answer?.data?.lang ?? 'en'
  const title = item.answer?.data?.itemTitle
  usePageTitle(title && `${title} · ${words.title}`)
  return (
    <div className="page history">
      <BackLink href={pathOf(contentType, itemId)} text={words.back[contentType]} />
      <div>
        <h1>{words.title}</h1>
        <p className="subtitle" lang={lang}>
          {item.answer?.data?.itemTitle}
        </p>
      </div>
      {refused !== undefined && (
        <div className="notice problem" role="alert">
          <h2>{words.refused}</h2>
          {errorTexts(refused, messages).map((text) => (
            <p key={text}>{text}</p>
          ))}
          <Conflict error={refused} subject={{ contentType, itemId }} />
        </div>
      )}
      {list.error !== undefined && <Problem error={list.error} onRetry={list.reload} />}
      {list.answer === undefined && list.error === undefined && <p className="loading">{messages.loading}</p>}
      {list.answer !== undefined && revisions.length === 0 && <p>{words.empty}</p>}
      <ol className="revisions">
        {revisions.map((revision) => (
          <Entry
            key={revision.number}
            revision={revision}
            people={people}
            lang={lang}
            onRestore={revision === latest ? undefined : () => setChosen(revision)}
          />
        ))}
      </ol>
      {list.answer?.data.hasMore === true && (
        <div className="actions">
          <Button onPress={() => setLim(lim + STEP)}>{words.more}</Button>
        </div>
      )}
      {chosen !== undefined && latest !== undefined && (
        <ConfirmDialog
          title={words.confirmTitle(momentOf(chosen.at))}
          confirm={words.confirm}
          onCancel={() => setChosen(undefined)}
          onConfirm={() => {
            setChosen(undefined)
            void restore(chosen, latest, item.answer?.etag)
          }}
        >
          <p>{words.confirmText}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

export const LibraryHistoryPage = ({ params }: PageProps) => (
  <HistoryPage contentType="library" itemId={params['id'] ?? ''} />
)

export const FeedHistoryPage = ({ params }: PageProps) => (
  <HistoryPage contentType="feed" itemId={params['id'] ?? ''} />
)
