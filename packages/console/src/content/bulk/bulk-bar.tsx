import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Group } from 'react-aria-components/Group'
import { useActs } from '../../session/answers.ts'
import { newId } from '../../session/api.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { Choice } from '../../ui/choice.tsx'
import { Button, Icon, SelectField } from '../../ui/controls.tsx'
import { CheckBox } from '../../ui/list.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { problemTexts } from '../../ui/problem.tsx'
import { ChangedBy } from '../editor/refusal.tsx'
import { type ContentType, type Item, type Label, pathOf, type Row, type Status, sidesOf } from '../items.ts'
import type { Selection } from '../list/selection.ts'
import {
  type BulkAct,
  type BulkEntry,
  type BulkRun,
  type EntryState,
  MOST_SELECTED,
  newRun,
  undoOf,
} from './bulk.ts'
import { type BulkState, bulk as runner } from './bulk-runner.ts'

/** What a person may want to do with the selected items. */
type Wish = Status | 'label'

/** The properties of the question before a bulk act. */
interface QuestionProps {
  readonly contentType: ContentType
  readonly wish: Wish
  readonly rows: ReadonlyArray<Row>
  readonly labels: ReadonlyArray<Label>
  readonly onConfirm: (act: BulkAct, items: ReadonlyArray<Item>) => void
  readonly onCancel: () => void
}

/** The languages that an act on pairs can mean. */
const SIDES = ['both', 'en', 'fr'] as const

/** Asks before a bulk act: the question has the number of items, and names each of them. */
const BulkQuestion = ({ contentType, wish, rows, labels, onConfirm, onCancel }: QuestionProps) => {
  const { bulk, languages } = useMessages()
  const { language } = useSession().session.manager
  const [labelId, setLabelId] = useState(labels[0]?.labelId ?? '')
  const [labelAct, setLabelAct] = useState<'attach' | 'detach'>('attach')
  const [side, setSide] = useState<(typeof SIDES)[number]>('both')
  const items = sidesOf(rows).filter(({ lang }) => side === 'both' || lang === side)
  const meant = rows.filter(({ sides }) => sides.some((item) => items.includes(item)))
  const act: BulkAct =
    wish === 'label'
      ? { kind: 'label', labelId, isAttached: labelAct === 'attach' }
      : { kind: 'status', status: wish }
  const what = bulk.names[contentType](meant.length)
  return (
    <ConfirmDialog
      title={bulk.questions[wish](what)}
      confirm={bulk.confirm[wish === 'label' ? labelAct : wish](what)}
      onConfirm={() => onConfirm(act, items)}
      onCancel={onCancel}
    >
      {wish === 'label' && (
        <>
          <SelectField
            label={bulk.label}
            value={labelId}
            options={labels.map((label) => ({ value: label.labelId, label: label[language] }))}
            onChange={setLabelId}
          />
          <Choice
            label={bulk.labelAct}
            value={labelAct}
            options={(['attach', 'detach'] as const).map((value) => ({ value, label: bulk.acting[value] }))}
            onChange={(value) => setLabelAct(value as 'attach' | 'detach')}
          />
        </>
      )}
      {rows.some(({ sides }) => sides.length > 1) && (
        <Choice
          label={bulk.sides}
          value={side}
          options={SIDES.map((value) => ({
            value,
            label: value === 'both' ? bulk.bothSides : languages[value],
          }))}
          onChange={(value) => setSide(value as typeof side)}
        />
      )}
      <p id="bulk-named">{bulk.named}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul className="bulk-names" aria-labelledby="bulk-named" tabIndex={0}>
        {items.map(({ itemId, itemTitle, lang }) => (
          <li key={itemId} lang={lang}>
            {itemTitle}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

const ICONS = { Live: 'check', Archived: 'archive', Draft: 'pen' } as const

/** Selects all listed items, and offers the acts on the selected ones. */
export const BulkBar = ({
  contentType,
  listed,
  total,
  listAll,
  labels,
  selection,
}: {
  readonly contentType: ContentType
  readonly listed: ReadonlyArray<Row>
  /** The number of all that match, and the way to read them. */
  readonly total: number
  readonly listAll: (most: number, signal: AbortSignal) => Promise<ReadonlyArray<Row>>
  readonly labels: ReadonlyArray<Label>
  readonly selection: Selection
}) => {
  const { bulk } = useMessages()
  const { email } = useSession().session.manager
  const [wish, setWish] = useState<Wish>()
  const isRunning = useSyncExternalStore(runner.subscribe, runner.isRunning)
  const { rows, isSelected } = selection
  const [count, here] = [rows.size, listed.filter(isSelected).length]
  const acts = useActs()
  const most = Math.min(total, MOST_SELECTED)
  const selectMatching = () => acts.run(() => listAll(most, new AbortController().signal), selection.add)
  return (
    <div className={count > 0 ? 'bulk-bar active' : 'bulk-bar'}>
      <CheckBox
        label={bulk.selectAll(listed.length)}
        hasText={count === 0}
        isChecked={here > 0 && here === listed.length}
        isPartly={here > 0 && here < listed.length}
        onToggle={selection.toggleAll}
      />
      <p role="status">
        {count > 0 && <strong>{bulk.selected(count)}</strong>}
        {count > here && <span className="hint">{bulk.unlisted(count - here)}</span>}
        {here > 0 && here === listed.length && count < most && (
          <Button kind="quiet" isDisabled={acts.isBusy} onPress={() => void selectMatching()}>
            {bulk.selectMatching(most)}
          </Button>
        )}
        {count === MOST_SELECTED && <span className="hint">{bulk.most(MOST_SELECTED)}</span>}
      </p>
      {count > 0 && (
        <Group className="bulk-acts" aria-label={bulk.acts}>
          {(['Live', 'Archived', 'Draft'] as const).map((status) => (
            <Button key={status} isDisabled={isRunning} onPress={() => setWish(status)}>
              <Icon name={ICONS[status]} />
              {bulk.acting[status]}
            </Button>
          ))}
          {labels.length > 0 && (
            <Button isDisabled={isRunning} onPress={() => setWish('label')}>
              {bulk.labels}
            </Button>
          )}
          <Button kind="quiet" aria-label={bulk.clear} onPress={selection.clear}>
            <Icon name="close" />
          </Button>
        </Group>
      )}
      {wish !== undefined && (
        <BulkQuestion
          contentType={contentType}
          wish={wish}
          rows={[...rows.values()]}
          labels={labels}
          onCancel={() => setWish(undefined)}
          onConfirm={(act, items) => {
            setWish(undefined)
            runner.begin(newRun(contentType, act, items, { id: newId(), email, at: Date.now() }))
            selection.clear()
          }}
        />
      )}
    </div>
  )
}

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
  const { state, reason, itemId } = entry
  const texts = reason === undefined ? [] : problemTexts(reason, messages)
  return (
    <li>
      <a href={pathOf(contentType, itemId)} lang={entry.lang}>
        {entry.title}
      </a>
      {texts.map((text) => (
        <span key={text}>{text}</span>
      ))}
      {state === 'changed' && <ChangedBy contentType={contentType} itemId={itemId} />}
    </li>
  )
}

/** States whose entries are named, and those whose entries are named on demand. */
const NAMED = ['changed', 'refused', 'unknown', 'waiting'] as const
const COUNTED = ['done', 'same'] as const

/** The entries of an act by what became of them: each number with its words, so that the numbers add up to all entries. */
const Groups = ({ contentType, entries }: Pick<BulkRun, 'contentType' | 'entries'>) => {
  const { groups } = useMessages().bulk
  const listOf = (group: ReadonlyArray<BulkEntry>) => (
    <ul className="bulk-entries">
      {group.map((entry) => (
        <EntryLine key={entry.itemId} contentType={contentType} entry={entry} />
      ))}
    </ul>
  )
  const groupOf = (state: EntryState) => entries.filter((entry) => entry.state === state)
  return (
    <>
      {NAMED.map((state) => {
        const group = groupOf(state)
        if (group.length === 0) return null
        return (
          <div key={state} className="bulk-group">
            <h3>{groups[state](group.length)}</h3>
            {listOf(group)}
          </div>
        )
      })}
      {COUNTED.map((state) => {
        const group = groupOf(state)
        if (group.length === 0) return null
        return (
          <details key={state}>
            <summary>{groups[state](group.length)}</summary>
            {listOf(group)}
          </details>
        )
      })}
    </>
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
  const undone = undoOf(run, { id: run.id, at: Date.now() })?.entries.length ?? 0
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
  const title = bulk.results[actOf(run)](done.length, bulk.share(done.length, entries.length))
  return (
    <section className="notice bulk-report" aria-labelledby="bulk-title">
      <h2 id="bulk-title" ref={heading} tabIndex={-1}>
        {isRunning ? bulk.running : title}
      </h2>
      {isRunning ? (
        <Progress entries={entries} />
      ) : (
        <>
          <Groups contentType={contentType} entries={entries} />
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
