import { useEffect, useRef, useState } from 'react'
import type { ContentType } from '../items.ts'
import { imageRoute, removeImage } from '../items-api.ts'
import type { ImageSlot } from './slots.ts'
import { uploadImage } from './upload.ts'

/** The state of one image of an item. */
export interface ImageState {
  /** A chosen image that waits until its new item is created, with a URL to show it. */
  readonly waiting?: { readonly blob: Blob; readonly url: string }
  /** The uploaded share, from 0 to 1, during an upload. */
  readonly progress?: number
  readonly failure?: unknown
}

/** The images of the item of an editor. */
interface ItemImages {
  /** Whether a chosen image waits until its new item is created. */
  readonly hasWaiting: boolean
  readonly stateOf: (slot: ImageSlot) => ImageState
  /** Uploads an image; that of a new item waits until it is created. */
  readonly choose: (slot: ImageSlot, blob: Blob) => Promise<void>
  readonly remove: (slot: ImageSlot) => Promise<void>
  /** Uploads the images that waited. Rejects with the first failure. */
  readonly uploadWaiting: (itemId: string) => Promise<void>
}

type States = Readonly<Record<string, ImageState>>

/** Returns the images of an item. `onChange` is called after each change on the server. */
export const useImages = (
  contentType: ContentType,
  slots: ReadonlyArray<ImageSlot>,
  saved: { readonly itemId: string; readonly etag: string | undefined } | undefined,
  onChange: () => Promise<void>,
): ItemImages => {
  const [states, setStates] = useState<States>({})
  const latest = useRef(states)
  latest.current = states
  const set = ({ name }: ImageSlot, state: ImageState) =>
    setStates((before) => ({ ...before, [name]: state }))

  useEffect(
    () => () => {
      for (const { waiting } of Object.values(latest.current)) if (waiting) URL.revokeObjectURL(waiting.url)
    },
    [],
  )

  const upload = async (itemId: string, slot: ImageSlot, blob: Blob, etag?: string) => {
    set(slot, { progress: 0 })
    try {
      await uploadImage(imageRoute(contentType, itemId, slot.name), blob, etag, (progress) =>
        set(slot, { progress }),
      )
      set(slot, {})
    } catch (failure) {
      set(slot, { failure })
      throw failure
    }
  }

  return {
    hasWaiting: Object.values(states).some(({ waiting }) => waiting !== undefined),
    stateOf: ({ name }) => states[name] ?? {},
    choose: async (slot, blob) => {
      if (saved === undefined) return set(slot, { waiting: { blob, url: URL.createObjectURL(blob) } })
      await upload(saved.itemId, slot, blob, saved.etag).then(onChange, () => {})
    },
    remove: async (slot) => {
      if (saved === undefined) return set(slot, {})
      try {
        await removeImage(contentType, saved.itemId, slot.name, saved.etag)
        set(slot, {})
        await onChange()
      } catch (failure) {
        set(slot, { failure })
      }
    },
    uploadWaiting: async (itemId) => {
      for (const slot of slots) {
        const { waiting } = latest.current[slot.name] ?? {}
        if (waiting !== undefined) await upload(itemId, slot, waiting.blob)
      }
    },
  }
}
