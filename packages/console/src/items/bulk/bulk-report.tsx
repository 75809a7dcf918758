import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useMessages, useSession } from '../../session/session.tsx'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import { problemTexts } from '../../ui/problem.tsx'
import { type ContentType, pathOf } from '../items.ts'
import { type BulkEntry, type BulkRun, type EntryState, undoOf } from './bulk.ts'
import { type BulkState, bulk as runner } from './bulk-runner.ts'

/** States that need no act of the person. */
const ENDED: ReadonlySet<EntryState> = new Set(['done', 'same'])

/** States of entries on which nothing is being done yet, or any longer. */
const isOpen = ({ state }: BulkEntry): boolean => state === 'waiting' || state === 'running'

const EntryLine = ({
  contentType,
  entry,
}: {
  readonly contentType: ContentType
  readonly entry: BulkEntry
}) => {
  const messages = useMessages()
  const { state, reason } = entry
  const words: Readonly<Partial<Record<EntryState, string>>> = messages.bulk.states
  const texts = reason === undefined ? [words[state] ?? ''] : problemTexts(reason, messages)
  return (
    <li>
      <a href={pathOf(contentType, entry.itemId)} lang={entry.lang}>
        {entry.title}
      </a>
      {texts.map((text) => text !== '' && <span key={text}>{text}</span>)}
    </li>
  )
}

/** The words of the act that a report is about. */
const actOf = ({ act, isUndo }: BulkRun) => {
  if (isUndo) return 'undo'
  if (act.kind === 'status') return act.status
  return act.isAttached ? 'attach' : 'detach'
}

const Progress = ({ entries }: Pick<BulkRun, 'entries'>) => {
  const { bulk } = useMessages()
  const ended = entries.filter((entry) => !isOpen(entry)).length
  const text = bulk.progress(ended, entries.length)
  return (
    <div className="bulk-progress">
      <progress aria-label={bulk.running} max={entries.length} value={ended} />
      <span>{text}</span>
      <Button onPress={runner.stop}>{bulk.stop}</Button>
    </div>
  )
}

const Acts = ({ run }: { readonly run: BulkRun }) => {
  const { bulk } = useMessages()
  const has = (state: EntryState) => run.entries.some((entry) => entry.state === state)
  const undone = undoOf(run, run)?.entries.length ?? 0
  useShortcuts('list', { undo: undone > 0 ? runner.undo : undefined })
  return (
    <div className="actions">
      {undone > 0 && (
        <Button onPress={runner.undo}>
          <Icon name="undo" />
          {bulk.undoLabel(undone)}
          <KeyHint area="list" name="undo" />
        </Button>
      )}
      {has('waiting') && <Button onPress={runner.goOn}>{bulk.goOn}</Button>}
      {!has('waiting') && has('unknown') && <Button onPress={runner.goOn}>{bulk.ask}</Button>}
      <Button kind="quiet" onPress={runner.dismiss}>
        {bulk.close}
      </Button>
    </div>
  )
}

/** What an act has done: its number, each entry that it did not change with the server's reasons, and the ways on. */
const Report = ({ run, isRunning }: BulkState) => {
  const { bulk } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves to the report of each new act
  useEffect(() => heading.current?.focus(), [run.id])
  const { contentType, entries } = run
  const done = entries.filter(({ state }) => state === 'done')
  const ended = entries.filter(({ state }) => ENDED.has(state))
  const left = entries.filter(({ state }) => !ENDED.has(state))
  const result = bulk.results[actOf(run)](done.length)
  const title = left.length === 0 ? result : `${result}, ${bulk.not(left.length)}`
  const lineOf = (entry: BulkEntry) => (
    <EntryLine key={entry.itemId} contentType={contentType} entry={entry} />
  )
  return (
    <section className="notice bulk-report" aria-labelledby="bulk-title">
      <h2 id="bulk-title" ref={heading} tabIndex={-1}>
        {isRunning ? bulk.running : title}
      </h2>
      {isRunning ? (
        <Progress entries={entries} />
      ) : (
        <>
          {left.length > 0 && <ul className="bulk-entries">{left.map(lineOf)}</ul>}
          {ended.length > 0 && (
            <details>
              <summary>{bulk.doneList(ended.length)}</summary>
              <ul className="bulk-entries">{ended.map(lineOf)}</ul>
            </details>
          )}
          <Acts run={run} />
        </>
      )}
      <p className="visually-hidden" role="status">
        {!isRunning && title}
      </p>
    </section>
  )
}

/** The report of the bulk act of this page, also of one that the end of a page has interrupted. */
export const BulkReport = () => {
  const { email } = useSession().session.manager
  const state = useSyncExternalStore(runner.subscribe, runner.state)
  useEffect(() => void runner.resume(email), [email])
  return state === undefined ? null : <Report {...state} />
}
