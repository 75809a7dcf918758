import { ApiError } from '@almoner/client'
import { useRef, useState } from 'react'
import { changes, useAnswer } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { hideToast, showToast } from '../../ui/overlays.tsx'
import { listCopies, openCopy } from '../editor/copy-writer.ts'
import type { Clash, EditorStart } from '../editor/fields.ts'
import { type EditedItems, type Editor, useEditor } from '../editor/use-editor.ts'
import { usePublished } from '../editor/use-save.ts'
import { readCopy, startOf, type WorkingCopy } from '../editor/working-copies.ts'
import { type ImageSlot, type ImageState, placeOf, uploadImage } from '../images/use-images.ts'
import { type ContentType, pathOf } from '../items.ts'
import { undoChange } from '../items-api.ts'
import { mergeProposal } from './merge.ts'
import {
  changeProposal,
  discardProposal,
  type ProposalName,
  pathOfProposal,
  proposalImageRoute,
  publishProposal,
  readShown,
  reopenProposal,
  type ShownProposal,
} from './proposals-api.ts'

/** Returns the key of the working copy of text that is typed into the proposal for an item. */
export const copyKeyOf = (itemId: string): string => `proposal-${itemId}`

/** What the page of a proposal begins with: the proposal, if there is one, and the person's working copy of it. */
interface ProposalStart {
  readonly shown: ShownProposal | undefined
  readonly copy: WorkingCopy | undefined
}

/** Loads the proposal for an item, with what the person has typed into it and not saved. */
export const loadProposal = async (contentType: ContentType, itemId: string): Promise<ProposalStart> => {
  const [{ data: shown }, copies] = await Promise.all([readShown(contentType, itemId), listCopies()])
  const stored = await openCopy(copyKeyOf(itemId), copies)
  return { shown, copy: stored && readCopy(contentType, stored) }
}

/** Returns what stands for the ETag of a proposal in its editor: its version, and the ETag of the live version with which it is merged. */
const versionOf = ({ proposal, live }: ShownProposal): string => `${proposal.proposalId} ${live.etag ?? ''}`

/** Returns how the editor of a proposal begins. */
export const editorStartOf = (shown: ShownProposal, copy: WorkingCopy | undefined): EditorStart =>
  startOf({ item: shown.proposed, etag: versionOf(shown) }, {}, copy)

/** Reads and saves a proposal as an editor does an item. `seen` returns what the page shows. */
const proposedItems = (seen: () => ShownProposal): EditedItems => ({
  read: async (contentType, itemId) => {
    const { data, headers } = await readShown(contentType, itemId)
    return { data: data?.proposed, headers, etag: data && versionOf(data) }
  },
  update: async (contentType, itemId, { status: _, ...fields }, version = '') => {
    const { live } = seen()
    const [proposalId = '', ifMatch] = version.split(' ')
    // The live version has changed, and the page has not shown yet what must be chosen.
    if (ifMatch !== live.etag)
      throw new ApiError({ status: 412, retryAfter: undefined }, { code: 'precondition_failed' })
    const changed = await changeProposal({ contentType, itemId, proposalId }, { fields }, ifMatch)
    return {
      data: mergeProposal(changed, live.item).proposed,
      headers: new Headers(),
      etag: `${changed.proposalId} ${ifMatch}`,
    }
  },
})

const keyOf = ({ field, theirs }: Clash): string => `${field} ${theirs}`

/** The proposal of a page, with its acts. */
export interface ProposalEditor {
  readonly shown: ShownProposal
  /** Whether it was published or discarded while the page was open. */
  readonly isGone: boolean
  readonly editor: Editor
  /** The fields for which the person must choose between the live version and the proposal. */
  readonly clashes: ReadonlyArray<Clash>
  readonly settle: (clash: Clash, choice: 'mine' | 'theirs') => void
  /** Whether there is something to save: typed text, or a merge with a live version that has changed. */
  readonly isUnsaved: boolean
  readonly isBusy: boolean
  readonly save: () => Promise<void>
  readonly publish: () => Promise<void>
  readonly discard: () => Promise<void>
  /** Sets the moment of publishing in seconds; an empty text clears it. */
  readonly schedule: (seconds: string, done: string) => Promise<void>
  readonly imageStateOf: (slot: ImageSlot) => ImageState
  readonly chooseImage: (slot: ImageSlot, blob: Blob) => Promise<void>
}

/** Returns the proposal of a page. `onClash` leads to the notice about clashes when they keep it from being saved. */
export const useProposal = (
  contentType: ContentType,
  itemId: string,
  first: ShownProposal,
  start: EditorStart,
  onClash: () => void,
): ProposalEditor => {
  const { proposals: words, queue } = useMessages()
  const published = usePublished()
  const key = `proposal ${contentType}/${itemId} ${first.proposal.proposalId} ${first.live.etag}`
  const { answer } = useAnswer(key, (signal) => readShown(contentType, itemId, signal))
  const latest = useRef(first)
  latest.current = answer?.data ?? latest.current
  const shown = latest.current
  const editor = useEditor(
    contentType,
    start,
    {},
    async () => {},
    () => [],
    proposedItems(() => latest.current),
  )
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [images, setImages] = useState<Readonly<Record<string, ImageState>>>({})
  const clashes = shown.clashes.filter((clash) => !settled.has(keyOf(clash)))
  const isUnsaved = editor.isDirty || !shown.proposal.isCurrent

  /** Does an act, one at a time. Why it was refused stands above the page. */
  const act = async (run: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    hideToast()
    try {
      await run()
    } catch (error) {
      editor.fail(error, 'Live')
    } finally {
      setBusy(false)
      changes.report()
    }
  }
  const nameNow = (): ProposalName & { readonly ifMatch: string | undefined } => {
    const [proposalId = '', ifMatch] = editor.latest().saved?.etag?.split(' ') ?? []
    return { contentType, itemId, proposalId, ifMatch }
  }
  /** Saves unsaved text, and a merge. Returns the version that the proposal has then; undefined if it could not be saved. */
  const stored = async () => {
    if (clashes.length > 0 || editor.latest().clashes.length > 0) {
      onClash()
      return undefined
    }
    if (isUnsaved && !(await editor.save('Live'))) return undefined
    return nameNow()
  }
  const bringBack = async (name: ProposalName, before: () => Promise<unknown>) => {
    try {
      await before()
      await reopenProposal(name)
      changes.report()
      goTo(pathOfProposal(contentType, itemId))
      showToast({ text: words.undone })
    } catch {
      showToast({ text: words.late })
    }
  }
  /** Leaves the page of a proposal that is closed, and offers to bring it back (M12). */
  const leave = (name: ProposalName, text: string, before: () => Promise<unknown>) => {
    editor.discard()
    goTo(pathOf(contentType, itemId))
    showToast({ text, action: { label: queue.undo, run: () => void bringBack(name, before) } })
  }
  const set = ({ name }: ImageSlot, state: ImageState) => setImages((all) => ({ ...all, [name]: state }))
  return {
    shown,
    isGone: answer !== undefined && answer.data === undefined,
    editor,
    clashes,
    settle: (clash, choice) => {
      setSettled((before) => new Set([...before, keyOf(clash)]))
      if (choice === 'theirs') editor.setField(clash.field, clash.theirs)
    },
    isUnsaved,
    isBusy,
    save: () =>
      act(async () => {
        if ((await stored()) !== undefined) showToast({ text: words.saved })
      }),
    publish: () =>
      act(async () => {
        const { fields } = editor.latest()
        const name = await stored()
        if (name === undefined) return
        const etag = await publishProposal(name, name.ifMatch)
        leave(name, published(fields, words.published), () => undoChange(contentType, itemId, etag))
      }),
    discard: () =>
      act(async () => {
        const name = nameNow()
        await discardProposal(name)
        leave(name, words.discarded, async () => {})
      }),
    schedule: (seconds, done) =>
      act(async () => {
        const name = await stored()
        if (name === undefined) return
        await changeProposal(name, { publishAt: seconds })
        await editor.refresh()
        showToast({ text: done })
      }),
    imageStateOf: ({ name }) => images[name] ?? {},
    chooseImage: async (slot, blob) => {
      set(slot, { progress: 0 })
      try {
        const name = shown.proposal.isCurrent ? nameNow() : await stored()
        if (name === undefined) return set(slot, {})
        await uploadImage(proposalImageRoute(name, placeOf(slot)), blob, undefined, (progress) =>
          set(slot, { progress }),
        )
        await editor.refresh()
        set(slot, {})
      } catch (failure) {
        set(slot, { failure })
        await editor.refresh().catch(() => {})
      }
    },
  }
}
