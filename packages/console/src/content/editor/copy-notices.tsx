import { Group } from 'react-aria-components/Group'
import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { useSeen } from '../../session/use-seen.ts'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { Button, SeenActs } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { nameOf } from '../history/field-changes.tsx'
import { placeOf, slotsOf } from '../images/use-images.ts'
import { type ContentType, type Item, pathOf, pathOfComposer, pathOfNew, type Status } from '../items.ts'
import { listDeadLinks } from '../items-api.ts'
import type { CopyState, CopySummary } from './copy-writer.ts'
import type { ChosenImage, ChosenImages, FieldName } from './fields.ts'
import type { Editor } from './use-editor.ts'
import { contentOfNewer, type KeptCopy } from './working-copies.ts'

/** The pages of working copies whose key is no item's, by the beginning of the key. */
const PAGES: ReadonlyArray<readonly [beginning: string, page: (rest: string, copy: CopySummary) => string]> =
  [
    ['new-', (_rest, { key, contentType }) => pathOfNew(contentType, key)],
    ['notification-', pathOfComposer],
    ['proposal-', (id, { contentType }) => `${pathOf(contentType, id)}/proposal`],
    ['change-', (id) => at(`/console/notifications/new?change=${id}`)],
  ]

/** Returns the page on which a working copy is continued. */
export const pathOfCopy = (copy: CopySummary): string => {
  const [beginning, page] = PAGES.find(([start]) => copy.key.startsWith(start)) ?? []
  if (beginning === undefined || page === undefined) return pathOf(copy.contentType, copy.key)
  return page(copy.key.slice(beginning.length), copy)
}

/** Lists new items that the person has begun and not saved. */
export const Unfinished = ({ copies }: { readonly copies: ReadonlyArray<CopySummary> }) => {
  const { copies: words } = useMessages()
  if (copies.length === 0) return null
  return (
    <section className="notice" aria-labelledby="unfinished-title">
      <h2 id="unfinished-title">{words.unfinished}</h2>
      <ul>
        {copies.map((copy) => (
          <li key={copy.key}>
            <a href={pathOfCopy(copy)}>{copy.title === '' ? words.untitled : copy.title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says that the text comes from the person's working copy, and offers to discard it. */
export const Restored = ({
  at,
  onDiscard,
  text,
}: {
  readonly at: string
  /** Goes back to the saved version. Returns a function that undoes this. */
  readonly onDiscard: () => () => void
  /** Says what the text is; by default, that of an item. */
  readonly text?: (moment: string) => string
}) => {
  const { copies, queue } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const discard = () => {
    const run = onDiscard()
    showToast({ text: copies.discarded, action: { label: queue.undo, run } })
  }
  return (
    <div className="notice" role="status">
      <p>{(text ?? copies.restored)(momentOf(at))}</p>
      <Button onPress={discard}>{copies.discard}</Button>
    </div>
  )
}

/** An image of one of two texts. */
const ImageOf = ({ image, name }: { readonly image: ChosenImage | undefined; readonly name: string }) =>
  image === undefined ? null : <img className="chosen-image" src={image.url} alt={name} />

/** Shows the text that the same person has typed in another tab, with the images of a new item, where it differs, and offers both (M12). */
export const OtherTab = ({
  copy: { newer, goOn },
  contentType,
  editor,
  images: chosen = {},
  onTake,
}: {
  readonly copy: KeptCopy
  readonly contentType: ContentType
  readonly editor: Pick<Editor, 'state' | 'adopt'>
  /** The images of a new item on this page. */
  readonly images?: ChosenImages
  /** Takes the labels and images of the other text. Returns a function that undoes this. */
  readonly onTake?: (labels: ReadonlyArray<string>, images: ChosenImages) => () => void
}) => {
  const { copies: words, fields: names, images: imageWords, queue } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'medium' })
  if (newer === undefined) return null
  const { fields, labels, images } = contentOfNewer(contentType, newer)
  const { fields: mine } = editor.state
  const differing = (Object.keys(fields) as ReadonlyArray<FieldName>).filter(
    (name) => (fields[name] ?? '') !== (mine[name] ?? ''),
  )
  const differingImages = slotsOf(contentType).filter(
    (slot) => images[placeOf(slot)]?.name !== chosen[placeOf(slot)]?.name,
  )
  const take = () => {
    const undos = [editor.adopt(fields), onTake?.(labels, images)]
    const run = () => {
      for (const undo of undos) undo?.()
    }
    goOn()
    showToast({ text: words.taken, action: { label: queue.undo, run } })
  }
  return (
    <section className="notice clash" role="alert" aria-labelledby="other-tab">
      <h2 id="other-tab">{words.otherTab}</h2>
      <p>{words.otherTabText(momentOf(newer.updatedAt))}</p>
      {differing.map((name) => (
        <div key={name} className="clash-field">
          <h3>{names[name]}</h3>
          <dl>
            <dt>{words.there}</dt>
            <dd>{fields[name]}</dd>
            <dt>{words.here}</dt>
            <dd>{mine[name]}</dd>
          </dl>
        </div>
      ))}
      {differingImages.map((slot) => {
        const name = imageWords.names[slot.name]
        return (
          <div key={slot.name} className="clash-field">
            <h3>{name}</h3>
            <dl>
              <dt>{words.there}</dt>
              <dd>
                <ImageOf image={images[placeOf(slot)]} name={name} />
              </dd>
              <dt>{words.here}</dt>
              <dd>
                <ImageOf image={chosen[placeOf(slot)]} name={name} />
              </dd>
            </dl>
          </div>
        )
      })}
      <div className="actions">
        <Button onPress={take}>{words.useThere}</Button>
        <Button onPress={goOn}>{words.keepHere}</Button>
      </div>
    </section>
  )
}

/** Says which links of an entry lead nowhere, as the last check found them (C17). */
export const DeadLinks = ({ itemId }: { readonly itemId: string }) => {
  const messages = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium' })
  const links = useAnswer('dead links', listDeadLinks).answer?.data.links ?? []
  const dead = links.filter(({ link }) => link.itemId === itemId)
  if (dead.length === 0) return null
  const id = `dead-links-${itemId}`
  return (
    <section className="notice problem" aria-labelledby={id}>
      <h2 id={id}>{messages.desk.deadLinksTitle(dead.length)}</h2>
      <ul>
        {dead.map(({ link: { field, url, answer, since } }) => (
          <li key={field}>
            {messages.desk.deadLink(nameOf(field, messages), answer, dayOf(since))}{' '}
            <span className="hint">{url}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says whether the text is saved. Only what needs attention is read aloud: a line that changes with every key would be in the way. */
export const SaveState = ({ isBusy, copy }: { readonly isBusy: boolean; readonly copy: CopyState }) => {
  const { editor, copies } = useMessages()
  const quiet = copy === 'none' || copy === 'failed' ? '' : copies.states[copy]
  return (
    <div className="save-state">
      <p role="status">{isBusy ? editor.saving : copy === 'failed' && copies.states.failed}</p>
      {!isBusy && quiet !== '' && <p>{quiet}</p>}
    </div>
  )
}

/** Whether readers notice that an item goes from a status to another one (M12). */
export const isNoticed = (from: Status | undefined, to: Status): boolean =>
  from === 'Live' || to !== (from ?? 'Draft')

/**
 * The acts of an editor. "Publish" is always there and always enabled: the server lists the missing parts (M7). Acts that readers notice do nothing
 * before this version of the item has been seen (M12), by Ctrl S neither.
 */
export const EditorActions = ({
  item,
  busy,
  copy,
  onSave,
  onShare,
}: {
  /** Undefined for a new item. */
  readonly item: Item | undefined
  readonly busy: Status | undefined
  readonly copy: CopyState
  readonly onSave: (status: Status) => void
  /** Shares the text of a Live item as a proposal; absent where that is not possible. */
  readonly onShare?: (() => void) | undefined
}) => {
  const { editor, proposals } = useMessages()
  const { isSeen, begin, end } = useSeen(`${item?.itemId} ${item?.updatedAt}`)
  const isBusy = busy !== undefined
  const status = item?.status
  const act = (next: Status) => () => {
    if (!isBusy && (!isNoticed(status, next) || end())) onSave(next)
  }
  const save = act(status ?? 'Draft')
  useShortcuts('editor', {
    save: () => {
      begin()
      save()
    },
  })
  return (
    <Group className="editor-actions" aria-label={editor.acts}>
      <SaveState isBusy={isBusy} copy={copy} />
      {status !== undefined && (
        <SeenActs isSeen={isSeen}>
          {status !== 'Archived' && (
            <Button kind="quiet" onPressStart={begin} onPress={act('Archived')}>
              {editor.archive}
            </Button>
          )}
          {status !== 'Draft' && (
            <Button onPressStart={begin} onPress={act('Draft')}>
              {editor.toDraft}
            </Button>
          )}
        </SeenActs>
      )}
      {status !== 'Live' && <Button onPress={save}>{editor.save}</Button>}
      {onShare !== undefined && <Button onPress={() => isBusy || onShare()}>{proposals.share}</Button>}
      <SeenActs isSeen={isSeen}>
        <Button kind="primary" onPressStart={begin} onPress={act('Live')}>
          {status === 'Live' ? editor.save : editor.publish}
        </Button>
      </SeenActs>
    </Group>
  )
}
