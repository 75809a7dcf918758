import { type ReactNode, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { useAnswer, useOnce } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Button } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { fieldErrorText, Problem } from '../../ui/problem.tsx'
import { Restored, SaveState } from '../editor/copy-notices.tsx'
import { FieldForm } from '../editor/field-forms.tsx'
import { fieldNames, isTranslated } from '../editor/fields.ts'
import { Clashes, Refusal } from '../editor/refusal.tsx'
import type { Editor } from '../editor/use-editor.ts'
import { FieldChanges } from '../history/field-changes.tsx'
import { listRevisions } from '../history/history-api.ts'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf } from '../images/use-images.ts'
import { type Item, pathOf, type TranslationState } from '../items.ts'
import { listItems } from '../items-api.ts'
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

/** Changes of the original that are looked at. */
const MOST_REVISIONS = 20

const TEXTS = fieldNames('library').filter(isTranslated)

/** Shows the changes of the original since its translation was saved. */
const OriginalChanges = ({ original, since }: { readonly original: Item; readonly since: string }) => {
  const { translation: words } = useMessages()
  const { answer } = useAnswer(`library/${original.itemId}/history ${MOST_REVISIONS}`, (signal) =>
    listRevisions('library', original.itemId, MOST_REVISIONS, signal),
  )
  const changes = (answer?.data.revisions ?? [])
    .filter(({ at }) => Date.parse(at) > Date.parse(since))
    .toReversed()
    .flatMap((revision) => revision.changes)
    .filter(({ field }) => TEXTS.some((name) => name === field))
  if (changes.length === 0) return null
  return (
    <details className="notice" open>
      <summary>{words.changedSince}</summary>
      <FieldChanges changes={changes} lang={original.lang} />
    </details>
  )
}

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
            onChoose={(blob) => void pair.images.choose(slot, blob)}
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
  state: translation,
  before,
  after,
}: {
  readonly side: Side
  readonly editor: Editor
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
  const mark = translation === 'missing' ? messages.translation.missing : messages.list.older
  return (
    <section className="side" aria-labelledby={`${prefix}title`}>
      <div className="side-head">
        <h2 id={`${prefix}title`}>{messages.languages[side]}</h2>
        {state.saved !== undefined && <StatusMark status={state.saved.item.status} />}
        {translation !== 'current' && <span className="mark">{mark}</span>}
      </div>
      {state.restoredAt !== undefined && editor.isDirty && (
        <Restored at={state.restoredAt} onDiscard={editor.discard} />
      )}
      <Refusal state={state} slots={slotsOf('library')} prefix={prefix} />
      <Clashes
        id={`${prefix}clashes`}
        clashes={state.clashes}
        fields={state.fields}
        onSettle={editor.settle}
      />
      {before}
      {TEXTS.map((name) => {
        return (
          <FieldForm
            key={name}
            name={name}
            prefix={prefix}
            fields={{ ...state.fields, lang: side }}
            errors={textsOf(name)}
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
  const { translation: words, library } = useMessages()
  const pair = usePair(start)
  const { sides, isBusy, isLinked } = pair
  const copies = LANGUAGES.map((side) => sides[side].copy)
  const copy =
    copies.find((state) => state === 'failed') ?? copies.find((state) => state !== 'none') ?? 'none'
  const savedOf = (side: Side) => sides[side].editor.state.saved?.item
  const act = (name: 'save' | 'publish') => () => {
    if (!isBusy) void pair.saveBoth(name)
  }
  const link = (side: Side, counterpartId: string) => {
    const { editor } = sides[otherOf(side)]
    void linkTranslation(itemId, counterpartId).then(onLinked, editor.fail)
  }
  /** What the original has changed since a translation was saved. */
  const changesFor = (side: Side) => {
    const [here, there] = [savedOf(side), savedOf(otherOf(side))]
    if (here === undefined || there === undefined || pair.stateOf(side) !== 'older') return null
    return <OriginalChanges original={there} since={here.updatedAt} />
  }
  const linkFor = (side: Side) =>
    savedOf(side) === undefined && <LinkExisting side={side} onLink={(id) => link(side, id)} />
  return (
    <div className="page translation">
      <BackLink href={pathOf('library', itemId)} text={library.edit} />
      <div className="page-head">
        <h1>{words.title}</h1>
        {isLinked && (
          <Button kind="quiet" onPress={pair.unlink}>
            {words.unlink}
          </Button>
        )}
      </div>
      <form className="translation-form" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="sides">
          {LANGUAGES.map((side) => (
            <SideColumn
              key={side}
              side={side}
              editor={sides[side].editor}
              state={pair.stateOf(side)}
              before={changesFor(side)}
              after={linkFor(side)}
            />
          ))}
        </div>
        <SharedFields pair={pair} />
      </form>
      <Group className="editor-actions" aria-label={words.acts}>
        <SaveState isBusy={isBusy} copy={copy} />
        <Button onPress={act('save')}>{words.save}</Button>
        <Button kind="primary" onPress={act('publish')}>
          {words.publish}
        </Button>
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
