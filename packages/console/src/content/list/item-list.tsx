import { type KeyboardEvent, useState } from 'react'
import { useAnswer } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { shortcutOf } from '../../session/shortcuts.ts'
import { shortcutSetting } from '../../session/use-shortcuts.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { CheckBox, focusedRow, focusTitle, moveAlong } from '../../ui/list.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/problem.tsx'
import { isAsSeen } from '../bulk/bulk.ts'
import { useFieldNames } from '../history/field-changes.tsx'
import {
  type ContentType,
  type Item,
  isPost,
  lacksDescription,
  pathOf,
  pathOfRow,
  type Row,
  sidesOf,
  thumbnailOf,
  translationState,
} from '../items.ts'
import { listDeadLinks, listOlder } from '../items-api.ts'
import { listProposals } from '../proposals/proposals-api.ts'
import { duplicateRow } from './duplicate.ts'
import type { Selection } from './selection.ts'

/** Selects by keys, and moves along the titles. Works only while the focus is in the list. */
const onListKey = (
  event: KeyboardEvent<HTMLElement>,
  rows: ReadonlyArray<Row>,
  { toggle, extend, toggleAll, clear }: Selection,
): void => {
  const list = event.currentTarget
  const present = focusedRow(list)
  const row = rows[present]
  const extendTo = (position: number) => () => {
    const next = rows[position]
    if (row === undefined || next === undefined) return
    extend(row, next)
    focusTitle(list, position)
  }
  const acts: Readonly<Partial<Record<string, () => void>>> = {
    select: () => row && toggle(row, false),
    selectNext: extendTo(present + 1),
    selectPrevious: extendTo(present - 1),
    selectAll: toggleAll,
    clear,
  }
  const act = acts[shortcutOf('list', event, shortcutSetting.isOn()) ?? '']
  if (act === undefined) {
    moveAlong(event)
    return
  }
  event.preventDefault()
  act()
}

/** The day of a publication, which is a day everywhere, or the moment at which a post was created. */
const dateOf = (item: Item): string => (isPost(item) ? item.createdAt : item.itemPublicationDate)

/** The fields whose words changed on the counterparts of publications, by the ids of these. */
type ChangedFields = ReadonlyMap<string, ReadonlyArray<string>>

/** Marks a publication without a counterpart, or that is older than it, by the words that changed there. A pair shows the state of both. */
const TranslationMark = ({
  item,
  isPair,
  changed,
}: {
  readonly item: Item
  readonly isPair: boolean
  /** The fields whose words changed on the counterpart, once they are known. */
  readonly changed: ReadonlyArray<string> | undefined
}) => {
  const { list } = useMessages()
  const namesOf = useFieldNames()
  const state = translationState(item)
  if (state === 'current' || (state === 'missing' && isPair)) return null
  const other = item.lang === 'en' ? 'fr' : 'en'
  const older = changed === undefined ? list.translations.older : list.older[other](namesOf(changed))
  const text = state === 'older' ? older : list.missing[other]
  return <span className="mark">{text}</span>
}

/** A small image of a row, whose place does not change while it loads (D8). */
export const Thumb = ({ row: { sides } }: { readonly row: Row }) => {
  const item = sides.find(({ itemRelatedLink }) => itemRelatedLink !== '')
  if (item === undefined)
    return (
      <div className="thumb">
        <Icon name="image" />
      </div>
    )
  return (
    <div className="thumb">
      <img
        {...thumbnailOf(item)}
        sizes="4.5rem"
        width={72}
        height={72}
        alt=""
        loading="lazy"
        decoding="async"
      />
    </div>
  )
}

/** The state of one language of a row. In a pair it is a link to the editor of that language alone. */
const SideState = ({
  contentType,
  item,
  isPair,
  changed,
}: {
  readonly contentType: ContentType
  readonly item: Item
  readonly isPair: boolean
  readonly changed: ReadonlyArray<string> | undefined
}) => {
  const messages = useMessages()
  const name = messages.languages[item.lang]
  return (
    <span className="side-state">
      {isPair ? (
        <a href={pathOf(contentType, item.itemId)} hrefLang={item.lang}>
          {name}
        </a>
      ) : (
        <span>{name}</span>
      )}
      <StatusMark status={item.status} />
      <TranslationMark item={item} isPair={isPair} changed={changed} />
    </span>
  )
}

/** Copies the address of a row's page, and makes a new entry like it. */
const RowActs = ({
  contentType,
  row,
  onFail,
}: {
  readonly contentType: ContentType
  readonly row: Row
  readonly onFail: (error: unknown) => void
}) => {
  const { list } = useMessages()
  const [isBusy, setBusy] = useState(false)
  const { itemTitle } = row.sides[0]
  const copyLink = async () => {
    await navigator.clipboard.writeText(new URL(pathOfRow(contentType, row), location.href).href)
    showToast({ text: list.linkCopied })
  }
  const duplicate = async () => {
    setBusy(true)
    try {
      goTo(pathOfRow(contentType, await duplicateRow(contentType, row, list.copyOf)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="row-acts">
      <Button
        kind="quiet"
        aria-label={list.copyLink(itemTitle)}
        onPress={() => void copyLink().catch(onFail)}
      >
        <Icon name="link" />
      </Button>
      <Button
        kind="quiet"
        isDisabled={isBusy}
        aria-label={list.duplicate(itemTitle)}
        onPress={() => void duplicate().catch(onFail)}
      >
        <Icon name="copy" />
      </Button>
    </div>
  )
}

const ListRow = ({
  contentType,
  row,
  hasDeadLink,
  hasProposal,
  changed,
  selection,
  onFail,
}: {
  readonly contentType: ContentType
  readonly row: Row
  readonly hasDeadLink: boolean
  readonly hasProposal: boolean
  readonly changed: ChangedFields
  readonly selection: Selection
  readonly onFail: (error: unknown) => void
}) => {
  const messages = useMessages()
  const locale = useLocaleName()
  const { manager, timeZone } = useSession().session
  const { language } = manager
  const { sides } = row
  const [first, ...others] = sides
  const seen = selection.rows.get(row.id)
  const isChanged = sides.some((item) => {
    const before = seen?.sides.find(({ itemId }) => itemId === item.itemId)
    return before !== undefined && !isAsSeen(before, item)
  })
  const day = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeZone: isPost(first) ? timeZone : 'UTC',
  })
  const labels = new Map(
    sides.flatMap((item) => item.labels ?? []).map(({ label }) => [label.labelId, label]),
  )
  return (
    <li className={seen === undefined ? 'row selectable' : 'row selectable selected'}>
      <CheckBox
        label={messages.bulk.select(first.itemTitle)}
        isChecked={seen !== undefined}
        onToggle={(isRange) => selection.toggle(row, isRange)}
      />
      <Thumb row={row} />
      <div className="row-text">
        <a className="title" href={pathOfRow(contentType, row)} lang={first.lang}>
          {first.itemTitle}
        </a>
        {others.map(({ itemId, itemTitle, lang }) => (
          <p key={itemId} className="other-title" lang={lang}>
            {itemTitle}
          </p>
        ))}
        <p className="meta">
          {sides
            .toSorted((a, b) => (a.lang < b.lang ? -1 : 1))
            .map((item) => (
              <SideState
                key={item.itemId}
                contentType={contentType}
                item={item}
                isPair={others.length > 0}
                changed={changed.get(item.itemId)}
              />
            ))}
          {isChanged && <span className="mark">{messages.bulk.changed}</span>}
          <time dateTime={dateOf(first)}>{day.format(new Date(dateOf(first)))}</time>
          {isPost(first) && <span>{messages.kinds[first.itemType]}</span>}
          {sides.some(({ isDonorRestricted }) => isDonorRestricted === '1') && (
            <span className="restricted">
              <Icon name="lock" />
              {messages.list.donors}
            </span>
          )}
          {sides.some((item) => item.status === 'Live' && lacksDescription(item)) && (
            <span className="mark">{messages.list.bareImage}</span>
          )}
          {hasDeadLink && <span className="mark">{messages.list.deadLink}</span>}
          {hasProposal && <span className="tag">{messages.proposals.one}</span>}
          {[...labels.values()].map((label) => (
            <span key={label.labelId} className="tag">
              {label[language]}
            </span>
          ))}
        </p>
      </div>
      <RowActs contentType={contentType} row={row} onFail={onFail} />
    </li>
  )
}

/** Reads the fields of the words that changed on the counterparts of older publications. Rows do not wait for it. */
const useChanged = (rows: ReadonlyArray<Row>): ChangedFields => {
  const older = sidesOf(rows).filter((item) => item.older === true)
  const key = older.map(({ itemId, updatedAt }) => `${itemId} ${updatedAt}`).join()
  const { answer } = useAnswer(`changed ${key}`, async (signal) => {
    const data = await listOlder(
      older.map(({ itemId }) => itemId),
      signal,
    )
    return { data, headers: new Headers(), etag: undefined }
  })
  const found = answer?.data ?? []
  return new Map(found.map(({ itemId, changes }) => [itemId, changes.map(({ field }) => field)]))
}

/** The rows of a list. Titles are links; keys move along them and select. */
export const ItemList = ({
  contentType,
  rows,
  isStale,
  selection,
}: {
  readonly contentType: ContentType
  readonly rows: ReadonlyArray<Row>
  readonly isStale: boolean
  readonly selection: Selection
}) => {
  const messages = useMessages()
  const [failure, setFailure] = useState<unknown>()
  const links = useAnswer('dead links', listDeadLinks).answer?.data.links ?? []
  const changed = useChanged(rows)
  const dead = new Set(links.map(({ link }) => link.itemId))
  const proposals = useAnswer('proposals', listProposals).answer?.data ?? []
  const proposed = new Set(proposals.map(({ itemId }) => itemId))
  return (
    <>
      {failure !== undefined && <Problem error={failure} onRetry={() => setFailure(undefined)} />}
      <ul
        className="rows"
        aria-label={messages[contentType].title}
        aria-busy={isStale}
        onKeyDown={(event) => onListKey(event, rows, selection)}
      >
        {rows.map((row) => (
          <ListRow
            key={row.id}
            contentType={contentType}
            row={row}
            hasDeadLink={row.sides.some(({ itemId }) => dead.has(itemId))}
            hasProposal={row.sides.some(({ itemId }) => proposed.has(itemId))}
            changed={changed}
            selection={selection}
            onFail={setFailure}
          />
        ))}
      </ul>
    </>
  )
}
