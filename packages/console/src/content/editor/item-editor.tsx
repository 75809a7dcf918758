import { type ReactNode, useEffect, useState } from 'react'
import { goTo, usePageTitle } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Icon } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf, useImages } from '../images/use-images.ts'
import { type ContentType, type Item, pathOf, pathOfComposer, pathOfNew } from '../items.ts'
import { pathOfList } from '../list/kept-list.ts'
import { pathOfProposal } from '../proposals/proposals-api.ts'
import { ProposalNotice, useProposalOf, useShare } from '../proposals/share.tsx'
import { OlderNotice, useOlder } from '../translation/older-notice.tsx'
import { DeadLinks, EditorActions, OtherTab, Restored } from './copy-notices.tsx'
import { DeleteDraft } from './delete-draft.tsx'
import { FieldForm } from './field-forms.tsx'
import { type ChosenImages, type EditorStart, type FieldName, type Fields, fieldNames } from './fields.ts'
import { LabelPicker, useLabels } from './labels.tsx'
import { Readers } from './readers.tsx'
import { Clashes, Refusal } from './refusal.tsx'
import { Schedule } from './schedule.tsx'
import { type Editor, useEditor } from './use-editor.ts'
import { useLeaveGuard, useSave } from './use-save.ts'
import { copyContent, useWorkingCopy } from './working-copies.ts'

/** Leads to the preview of what is saved and typed. */
export const PreviewLink = ({ path }: { readonly path: string }) => {
  const { preview } = useMessages()
  return (
    <a href={path}>
      <Icon name="image" />
      {preview.link}
    </a>
  )
}

const Links = ({
  contentType,
  item: { itemId, status },
}: {
  readonly contentType: ContentType
  readonly item: Item
}) => {
  const { composer, history, translation } = useMessages()
  const path = pathOf(contentType, itemId)
  return (
    <>
      {contentType === 'library' && (
        <a href={`${path}/translation`}>
          <Icon name="languages" />
          {translation.title}
        </a>
      )}
      {contentType === 'library' && status === 'Live' && (
        <a href={pathOfComposer(itemId)}>
          <Icon name="bell" />
          {composer.notify}
        </a>
      )}
      <PreviewLink path={`${path}/preview`} />
      <a href={`${path}/history`}>
        <Icon name="history" />
        {history.link}
      </a>
    </>
  )
}

/** Says that words of the other language have changed, if they have (J8). */
const Older = ({ item: { itemId, updatedAt } }: { readonly item: Item }) => {
  const { translation } = useMessages()
  const [older] = useOlder([itemId], updatedAt)
  if (older === undefined) return null
  const path = `${pathOf('library', itemId)}/translation`
  return <OlderNotice older={older} link={<a href={path}>{translation.title}</a>} />
}

/** The head of an editor: the way back, the title, the pages of the item, and its status. */
const EditorHead = ({
  contentType,
  item,
  newKey,
  isUnsaved,
}: {
  readonly contentType: ContentType
  /** Undefined for a new item. */
  readonly item: Item | undefined
  /** The key of the working copy of a new item. */
  readonly newKey: string | undefined
  readonly isUnsaved: boolean
}) => {
  const words = useMessages()[contentType]
  usePageTitle(item?.itemTitle)
  return (
    <>
      <BackLink href={pathOfList(contentType)} text={words.title} />
      <div className="page-head">
        <h1 lang={item?.lang}>{item === undefined ? words.create : item.itemTitle}</h1>
        <div className="page-links">
          {item !== undefined && <Links contentType={contentType} item={item} />}
          {item === undefined && newKey !== undefined && isUnsaved && (
            <PreviewLink path={pathOfNew(contentType, newKey, '/preview')} />
          )}
          <StatusMark status={item?.status ?? 'Draft'} />
        </div>
      </div>
    </>
  )
}

/** The fields beside the text: few words, set once. */
const ASIDE: ReadonlySet<FieldName> = new Set(['lang', 'itemPublicationDate', 'isDonorRestricted'])

/** The id of the notice about clashes, which gets the focus when they keep the item from being saved. */
const CLASHES = 'clashes'

const newItemOf = (copyKey: string | undefined, { images = {} }: EditorStart) =>
  copyKey === undefined ? undefined : { copyKey, images }

/** Returns the working copy of an editor; undefined if everything is saved, or a new item has nothing but its first fields. */
const contentOf = (
  contentType: ContentType,
  { state, isDirty }: Editor,
  labels: ReadonlyArray<string>,
  images: ChosenImages,
) => {
  const hasChoices = labels.length > 0 || Object.keys(images).length > 0
  const isUnsaved = isDirty || (state.saved === undefined && hasChoices)
  return isUnsaved ? copyContent(contentType, state, labels, images) : undefined
}

/** The form of a publication or post: text, images, labels, and the acts. */
export const ItemEditor = ({
  contentType,
  start,
  created,
  newKey,
  onCreated,
  notice,
}: {
  readonly contentType: ContentType
  readonly start: EditorStart
  /** The fields that a new item begins with. */
  readonly created: Fields
  /** The key of the working copy of a new item. */
  readonly newKey?: string
  readonly onCreated?: (itemId: string) => void
  readonly notice?: ReactNode
}) => {
  const messages = useMessages()
  const [createdId, setCreatedId] = useState<string>()
  const slots = slotsOf(contentType)
  const afterCreate = async (itemId: string) => {
    await images.placeChosen(itemId)
    await labels.attachWaiting(itemId)
    onCreated?.(itemId)
    setCreatedId(itemId)
  }
  const editor = useEditor(contentType, start, created, afterCreate, () => images.places())
  const { state } = editor
  const known = state.saved?.item
  const images = useImages(
    contentType,
    slots,
    () => editor.latest().saved,
    editor.refresh,
    newItemOf(newKey, start),
  )
  const labels = useLabels(contentType, known?.itemId, start.labels)
  const content = contentOf(contentType, editor, labels.selected, images.chosen)
  const isUnsaved = content !== undefined
  const { restoredAt } = start
  const newCopy = useWorkingCopy(newKey, known === undefined ? content : undefined, restoredAt)
  const itemCopy = useWorkingCopy(known?.itemId, content, newKey === undefined ? restoredAt : undefined)
  const kept = known === undefined ? newCopy : itemCopy
  const copy = kept.state
  useLeaveGuard(copy, known === undefined && images.isUploading, messages.editor.leave)
  useEffect(() => {
    if (createdId !== undefined) goTo(pathOf(contentType, createdId), 'replace')
  }, [contentType, createdId])

  const textsOf = (...names: ReadonlyArray<string>) =>
    state.errors
      .filter(({ field }) => names.includes(field))
      .map(({ message }) => fieldErrorText(message, messages))
  const formOf = (name: FieldName) => {
    return (
      <FieldForm
        key={name}
        name={name}
        fields={state.fields}
        errors={textsOf(name)}
        item={state.saved?.item}
        onChange={(value) => editor.setField(name, value)}
      />
    )
  }
  /** Takes other labels and images for a new item. Returns a function that undoes this. */
  const choose = (next: ReadonlyArray<string>, chosen: ChosenImages) => {
    if (known !== undefined) return () => {}
    const { selected } = labels
    void labels.change(next)
    const undo = images.adopt(chosen)
    return () => {
      undo()
      void labels.change(selected)
    }
  }
  const discard = () => {
    const undos = [editor.discard(), choose([], {})]
    return () => {
      for (const undo of undos) undo()
    }
  }
  const save = useSave(contentType, editor, CLASHES)
  const share = useShare(contentType)
  const { proposal, isKnown } = useProposalOf(known?.itemId)
  const isProposable = known?.status === 'Live' && isKnown && proposal === undefined
  const names = fieldNames(contentType)
  return (
    <div className="page editor">
      <EditorHead contentType={contentType} item={state.saved?.item} newKey={newKey} isUnsaved={isUnsaved} />
      {state.saved === undefined && !isUnsaved && notice}
      {state.restoredAt !== undefined && isUnsaved && <Restored at={state.restoredAt} onDiscard={discard} />}
      {contentType === 'library' && state.saved !== undefined && <Older item={state.saved.item} />}
      {state.saved?.item.status === 'Live' && <DeadLinks itemId={state.saved.item.itemId} />}
      {proposal !== undefined && <ProposalNotice proposal={proposal} />}
      <OtherTab
        copy={kept}
        contentType={contentType}
        editor={editor}
        images={images.chosen}
        onTake={choose}
      />
      <Refusal state={state} slots={slots} />
      <Clashes
        id={CLASHES}
        item={state.saved?.item}
        clashes={state.clashes}
        fields={state.fields}
        onSettle={editor.settle}
      />
      <form className="editor-grid" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="editor-text">
          {names.filter((name) => !ASIDE.has(name)).map(formOf)}
          <LabelPicker
            selected={labels.selected}
            onChange={(next) => void labels.change(next).catch(editor.fail)}
          />
          {state.saved !== undefined && (
            <Readers
              contentType={contentType}
              itemId={state.saved.item.itemId}
              version={state.saved.item.updatedAt}
            />
          )}
        </div>
        <div className="editor-aside">
          {slots.map((slot) => (
            <ImageField
              key={slot.name}
              slot={slot}
              url={state.saved === undefined ? '' : imageUrl(state.saved.item, slot)}
              state={images.stateOf(slot)}
              errors={textsOf(...slot.fields)}
              subject={known && { contentType, itemId: known.itemId }}
              isLive={known?.status === 'Live'}
              onChoose={(blob) => {
                editor.clear(slot.fields)
                void images.choose(slot, blob)
              }}
              onRemove={() => void images.remove(slot)}
            />
          ))}
          {names.filter((name) => ASIDE.has(name)).map(formOf)}
          <Schedule contentType={contentType} state={state} onSaved={editor.refresh} />
          <DeleteDraft contentType={contentType} saved={state.saved} onFail={editor.fail} />
        </div>
      </form>
      <EditorActions
        item={state.saved?.item}
        busy={state.busy}
        copy={copy}
        onSave={(status) => void save(status)}
        onShare={
          isProposable
            ? () => void share([{ editor, clashesId: CLASHES }], pathOfProposal(contentType, known.itemId))
            : undefined
        }
      />
    </div>
  )
}
