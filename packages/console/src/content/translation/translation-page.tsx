import { type ReactNode, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { at } from '../../paths.ts'
import { useAnswer, useOnce } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { goTo, usePageTitle } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { useSeen } from '../../session/use-seen.ts'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { BackLink, Button, SeenActs } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { fieldErrorText, Problem } from '../../ui/problem.tsx'
import { DeadLinks, isNoticed, OtherTab, Restored, SaveState } from '../editor/copy-notices.tsx'
import { FieldForm } from '../editor/field-forms.tsx'
import { fieldNames, isTranslated } from '../editor/fields.ts'
import { PreviewLink } from '../editor/item-editor.tsx'
import { Clashes, Refusal } from '../editor/refusal.tsx'
import type { Editor } from '../editor/use-editor.ts'
import type { KeptCopy } from '../editor/working-copies.ts'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf } from '../images/use-images.ts'
import { pathOf, type TranslationState } from '../items.ts'
import { listItems } from '../items-api.ts'
import { pathOfList } from '../list/kept-list.ts'
import { ProposalNotice, useProposalOf, useShare } from '../proposals/share.tsx'
import { OlderNotice, useOlder } from './older-notice.tsx'
import { LANGUAGES, linkTranslation, loadPair, otherOf, type Pair, type Side } from './pair-api.ts'
import { type PairEditor, SHARED, usePair } from './use-pair.ts'

/** Publications that are offered at once. */
const MOST_FOUND = 5

/** Finds a publication that is there already, to link it as the missing language. */
const LinkExisting = ({
  side,
  onLink,
}: {
  readonly side: Side
  readonly onLink: (itemId: string) => void
}) => {
  const { translation: words, list } = useMessages()
  const [q, setQ] = useState('')
  const query = { lang: side, lim: MOST_FOUND, offset: 0, include: 'translation', ...(q !== '' && { q }) }
  const { answer } = useAnswer(`to link ${JSON.stringify(query)}`, (signal) =>
    listItems('library', query, signal),
  )
  const items = answer?.data.items.filter(({ translation }) => translation === null) ?? []
  return (
    <details className="link-existing">
      <summary>{words.linkExisting[side]}</summary>
      <label className="text-field">
        <span className="label">{list.search}</span>
        <input type="search" value={q} maxLength={200} onChange={(event) => setQ(event.target.value)} />
      </label>
      <ul>
        {items.map(({ itemId, itemTitle, status }) => (
          <li key={itemId}>
            <span lang={side}>{itemTitle}</span>
            <StatusMark status={status} />
            <Button aria-label={words.linkLabel(itemTitle)} onPress={() => onLink(itemId)}>
              {words.link}
            </Button>
          </li>
        ))}
      </ul>
      {answer !== undefined && items.length === 0 && <p className="hint">{words.noneToLink}</p>}
    </details>
  )
}

const TEXTS = fieldNames('library').filter(isTranslated)

/** The images, the date and the readers, which both languages have in common. */
const SharedFields = ({ pair }: { readonly pair: PairEditor }) => {
  const messages = useMessages()
  const { editor } = pair.sides[pair.original]
  const errors = [...pair.sides.en.editor.state.errors, ...pair.sides.fr.editor.state.errors]
  const textsOf = (...names: ReadonlyArray<string>) => [
    ...new Set(
      errors
        .filter(({ field }) => names.includes(field))
        .map(({ message }) => fieldErrorText(message, messages)),
    ),
  ]
  const { saved } = editor.state
  return (
    <section className="shared-fields" aria-labelledby="shared-title">
      <h2 id="shared-title">{messages.translation.shared}</h2>
      <div className="shared-grid">
        {slotsOf('library').map((slot) => (
          <ImageField
            key={slot.name}
            slot={slot}
            url={saved === undefined ? '' : imageUrl(saved.item, slot)}
            state={pair.images.stateOf(slot)}
            errors={textsOf(...slot.fields)}
            isLive={LANGUAGES.some((side) => pair.sides[side].editor.state.saved?.item.status === 'Live')}
            subject={saved && { contentType: 'library', itemId: saved.item.itemId }}
            onChoose={(blob) => {
              for (const side of LANGUAGES) pair.sides[side].editor.clear(slot.fields)
              void pair.images.choose(slot, blob)
            }}
            onRemove={() => void pair.images.remove(slot)}
          />
        ))}
        {SHARED.map((name) => {
          return (
            <FieldForm
              key={name}
              name={name}
              fields={pair.shared}
              errors={textsOf(name)}
              onChange={(value) => pair.setShared(name, value)}
            />
          )
        })}
      </div>
    </section>
  )
}

/** The text of a publication in one language. */
const SideColumn = ({
  side,
  editor,
  copy,
  state: translation,
  before,
  after,
}: {
  readonly side: Side
  readonly editor: Editor
  readonly copy: KeptCopy
  readonly state: TranslationState
  /** Shown before the text, and after it. */
  readonly before: ReactNode
  readonly after: ReactNode
}) => {
  const messages = useMessages()
  const { state } = editor
  const prefix = `${side}-`
  const textsOf = (name: string) =>
    state.errors.filter(({ field }) => field === name).map(({ message }) => fieldErrorText(message, messages))
  const mark = translation === 'missing' ? messages.translation.missing : messages.list.translations.older
  return (
    <section className="side" aria-labelledby={`${prefix}title`}>
      <div className="side-head">
        <h2 id={`${prefix}title`}>{messages.languages[side]}</h2>
        {state.saved !== undefined && (
          <>
            <a href={pathOf('library', state.saved.item.itemId)}>{messages.translation.alone}</a>
            <StatusMark status={state.saved.item.status} />
          </>
        )}
        {translation !== 'current' && <span className="mark">{mark}</span>}
      </div>
      <div className="side-notices">
        {state.restoredAt !== undefined && editor.isDirty && (
          <Restored at={state.restoredAt} onDiscard={editor.discard} />
        )}
        <OtherTab copy={copy} contentType="library" editor={editor} />
        <Refusal state={state} slots={slotsOf('library')} prefix={prefix} />
        <Clashes
          id={`${prefix}clashes`}
          item={state.saved?.item}
          clashes={state.clashes}
          fields={state.fields}
          onSettle={editor.settle}
        />
        {before}
      </div>
      {TEXTS.map((name) => {
        return (
          <FieldForm
            key={name}
            name={name}
            prefix={prefix}
            fields={{ ...state.fields, lang: side }}
            errors={textsOf(name)}
            item={state.saved?.item}
            onChange={(value) => editor.setField(name, value)}
          />
        )
      })}
      {after}
    </section>
  )
}

const TranslationEditor = ({
  itemId,
  pair: start,
  onLinked,
}: {
  readonly itemId: string
  readonly pair: Pair
  readonly onLinked: () => void
}) => {
  const { translation: words, library, proposals: proposalWords } = useMessages()
  const pair = usePair(start)
  const { sides, isBusy, isLinked } = pair
  const title = sides[pair.original].editor.state.saved?.item.itemTitle ?? words.title
  usePageTitle(title)
  const copies = LANGUAGES.map((side) => sides[side].copy.state)
  const copy =
    copies.find((state) => state === 'failed') ?? copies.find((state) => state !== 'none') ?? 'none'
  const savedOf = (side: Side) => sides[side].editor.state.saved?.item
  const saved = LANGUAGES.flatMap((side) => savedOf(side) ?? [])
  const { isSeen, begin, end } = useSeen(
    saved.map(({ itemId: id, updatedAt }) => `${id} ${updatedAt}`).join(' '),
  )
  const isSaveNoticed = saved.some(({ status }) => isNoticed(status, status))
  const act = (name: 'save' | 'publish') => () => {
    const isInert = (name === 'publish' || isSaveNoticed) && !end()
    if (!isBusy && !isInert) void pair.saveBoth(name)
  }
  const save = act('save')
  useShortcuts('editor', {
    save: () => {
      begin()
      save()
    },
  })
  const link = (side: Side, counterpartId: string) => {
    const { editor } = sides[otherOf(side)]
    void linkTranslation(itemId, counterpartId).then(onLinked, editor.fail)
  }
  const older = useOlder(
    isLinked ? saved.map(({ itemId: id }) => id) : [],
    saved.map(({ updatedAt }) => updatedAt).join(),
  )
  const open = { en: useProposalOf(savedOf('en')?.itemId), fr: useProposalOf(savedOf('fr')?.itemId) }
  const share = useShare('library')
  const typed = LANGUAGES.filter((side) => sides[side].editor.isDirty)
  const isProposable = (side: Side) =>
    savedOf(side)?.status === 'Live' && open[side].isKnown && open[side].proposal === undefined
  const shareTyped = () =>
    void share(
      typed.map((side) => ({ editor: sides[side].editor, clashesId: `${side}-clashes` })),
      at('/console/proposals'),
    )
  const olderFor = (side: Side) => older.find(({ itemId: id }) => id === savedOf(side)?.itemId)
  const stateOf = (side: Side): TranslationState => {
    if (savedOf(side) === undefined) return 'missing'
    return olderFor(side) === undefined ? 'current' : 'older'
  }
  /** Dead links, and the words that changed in the other language. */
  const noticesFor = (side: Side) => {
    const found = olderFor(side)
    const item = savedOf(side)
    return (
      <>
        {item?.status === 'Live' && <DeadLinks itemId={item.itemId} />}
        {open[side].proposal !== undefined && <ProposalNotice proposal={open[side].proposal} />}
        {found !== undefined && <OlderNotice older={found} />}
      </>
    )
  }
  const linkFor = (side: Side) =>
    savedOf(side) === undefined && <LinkExisting side={side} onLink={(id) => link(side, id)} />
  return (
    <div className="page translation">
      <BackLink href={pathOfList('library')} text={library.title} />
      <div className="page-head">
        <h1 lang={pair.original}>{title}</h1>
        <div className="page-links">
          <PreviewLink path={`${pathOf('library', itemId)}/preview`} />
          {isLinked && (
            <Button kind="quiet" onPress={pair.unlink}>
              {words.unlink}
            </Button>
          )}
        </div>
      </div>
      <form className="translation-form" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="sides">
          {LANGUAGES.map((side) => (
            <SideColumn
              key={side}
              side={side}
              editor={sides[side].editor}
              copy={sides[side].copy}
              state={stateOf(side)}
              before={noticesFor(side)}
              after={linkFor(side)}
            />
          ))}
        </div>
        <SharedFields pair={pair} />
      </form>
      <Group className="editor-actions" aria-label={words.acts}>
        <SaveState isBusy={isBusy} copy={copy} />
        {typed.length > 0 && typed.every(isProposable) && (
          <Button onPress={() => isBusy || shareTyped()}>{proposalWords.shareBoth}</Button>
        )}
        <SeenActs isSeen={isSeen || !isSaveNoticed}>
          <Button onPressStart={begin} onPress={save}>
            {words.save}
          </Button>
        </SeenActs>
        <SeenActs isSeen={isSeen}>
          <Button kind="primary" onPressStart={begin} onPress={act('publish')}>
            {words.publish}
          </Button>
        </SeenActs>
      </Group>
    </div>
  )
}

/** A publication in English and French, side by side, with one image and one date (J7). */
export const LibraryTranslationPage = ({ params }: PageProps) => {
  const itemId = params['id'] ?? ''
  const messages = useMessages()
  const { data, error, retry } = useOnce(`pair ${itemId}`, async () => ({ pair: await loadPair(itemId) }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{messages.loading}</p>
  if (data.pair === undefined) {
    goTo(pathOf('library', itemId), 'replace')
    return null
  }
  return <TranslationEditor itemId={itemId} pair={data.pair} onLinked={retry} />
}
