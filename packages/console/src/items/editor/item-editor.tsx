import { type ReactNode, useEffect, useState } from 'react'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { ImageField } from '../images/image-field.tsx'
import { imageUrl, slotsOf } from '../images/slots.ts'
import { useImages } from '../images/use-images.ts'
import { type ContentType, pathOf, type Status } from '../items.ts'
import { Clashes } from './clashes.tsx'
import { copyContent } from './copies.ts'
import { EditorActions } from './editor-actions.tsx'
import { EditorHead } from './editor-head.tsx'
import type { EditorStart } from './editor-state.ts'
import { FORMS } from './field-forms.tsx'
import { type FieldName, type Fields, fieldNames } from './fields.ts'
import { LabelPicker } from './label-picker.tsx'
import { Readers } from './readers.tsx'
import { Refusal } from './refusal.tsx'
import { Restored } from './restored.tsx'
import { useEditor } from './use-editor.ts'
import { useLabels } from './use-labels.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useWorkingCopy } from './use-working-copy.ts'

/** The fields beside the text: few words, set once. */
const ASIDE: ReadonlySet<FieldName> = new Set(['lang', 'itemPublicationDate', 'isDonorRestricted'])

/** The id of the notice about clashes, which gets the focus when they keep the item from being saved. */
const CLASHES = 'clashes'

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
  const editor = useEditor(contentType, start, created, async (itemId) => {
    await images.uploadWaiting(itemId)
    await labels.attachWaiting(itemId)
    onCreated?.(itemId)
    setCreatedId(itemId)
  })
  const { state } = editor
  const known = state.saved && { itemId: state.saved.item.itemId, etag: state.saved.etag }
  const images = useImages(contentType, slots, known, editor.refresh)
  const labels = useLabels(contentType, known?.itemId, start.labels)
  const isUnsaved = editor.isDirty || (known === undefined && labels.selected.length > 0)
  const content = isUnsaved ? copyContent(contentType, state, labels.selected) : undefined
  const wasRestored = start.restoredAt !== undefined
  const newCopy = useWorkingCopy(newKey, known === undefined ? content : undefined, wasRestored)
  const itemCopy = useWorkingCopy(known?.itemId, content, wasRestored && newKey === undefined)
  const copy = known === undefined ? newCopy : itemCopy
  useLeaveGuard(copy, known === undefined && images.hasWaiting, messages.editor.leave)
  useEffect(() => {
    if (createdId !== undefined) goTo(pathOf(contentType, createdId), 'replace')
  }, [contentType, createdId])

  const textsOf = (...names: ReadonlyArray<string>) =>
    state.errors
      .filter(({ field }) => names.includes(field))
      .map(({ message }) => fieldErrorText(message, messages))
  const formOf = (name: FieldName) => {
    const Form = FORMS[name]
    return (
      <Form
        key={name}
        fields={state.fields}
        errors={textsOf(name)}
        onChange={(value) => editor.setField(name, value)}
      />
    )
  }
  const discard = () => {
    const undo = editor.discard()
    if (known !== undefined) return undo
    const { selected } = labels
    void labels.change([])
    return () => {
      undo()
      void labels.change(selected)
    }
  }
  const save = async (status: Status) => {
    if (state.clashes.length > 0) document.getElementById(CLASHES)?.focus()
    else if (await editor.save(status)) showToast({ text: messages.editor.done[status] })
  }
  const names = fieldNames(contentType)
  return (
    <div className="page editor">
      <EditorHead contentType={contentType} item={state.saved?.item} />
      {state.saved === undefined && !isUnsaved && notice}
      {state.restoredAt !== undefined && isUnsaved && <Restored at={state.restoredAt} onDiscard={discard} />}
      <Refusal state={state} slots={slots} />
      <Clashes id={CLASHES} clashes={state.clashes} fields={state.fields} onSettle={editor.settle} />
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
              onChoose={(blob) => void images.choose(slot, blob)}
              onRemove={() => void images.remove(slot)}
            />
          ))}
          {names.filter((name) => ASIDE.has(name)).map(formOf)}
        </div>
      </form>
      <EditorActions
        status={state.saved?.item.status}
        busy={state.busy}
        copy={copy}
        onSave={(status) => void save(status)}
      />
    </div>
  )
}
