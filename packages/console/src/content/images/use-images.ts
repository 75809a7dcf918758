import { useRef, useState } from 'react'
import { API, newId } from '../../session/api.ts'
import { sendForm } from '../../session/send-form.ts'
import { useMessages } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { isConflict } from '../../ui/problem.tsx'
import type { ChosenImage, ChosenImages, Saved } from '../editor/fields.ts'
import { type ContentType, type Item, isPost } from '../items.ts'
import { imageRoute, placeImage, removeImage, undoChange } from '../items-api.ts'

/** A place for an image of an item. */
export interface ImageSlot {
  readonly name: 'cover' | 'notification' | 'media'
  /** The fields that the server names when it complains about this image. */
  readonly fields: ReadonlyArray<string>
  /** The size that the image must have, in pixels (D1). Without it, the image is only made smaller if it is too large. */
  readonly size?: { readonly width: number; readonly height: number }
}

const SLOTS: Readonly<Record<ContentType, ReadonlyArray<ImageSlot>>> = {
  library: [
    { name: 'cover', fields: ['coverImgUrl'] },
    { name: 'notification', fields: ['notificationImgUrl'] },
  ],
  feed: [{ name: 'media', fields: ['itemUploadMedia'], size: { width: 400, height: 560 } }],
}

/** The names of images in the service's answers (D9). */
const SERVICE_NAMES = { cover: 'cover', notification: 'notification', media: 'image' } as const

/** Returns the name that the service has for the place of an image. */
export const placeOf = ({ name }: ImageSlot): string => SERVICE_NAMES[name]

/** Returns the names that the service has for the images that an item shows. */
export const imagesOf = (item: Item, slots: ReadonlyArray<ImageSlot>): ReadonlyArray<string> =>
  slots.flatMap((slot) => (imageUrl(item, slot) === '' ? [] : [placeOf(slot)]))

/** Returns the images that items of a type have. */
export const slotsOf = (contentType: ContentType): ReadonlyArray<ImageSlot> => SLOTS[contentType]

/** Returns the URL of an image of an item; empty if there is none. */
export const imageUrl = (item: Item, slot: ImageSlot): string => {
  if (isPost(item)) return item.itemRelatedLink
  return slot.name === 'cover' ? item.coverImgUrl : item.notificationImgUrl
}

/** The field of the form that holds the file (D1). */
const FIELD = 'itemUploadMedia'

const formOf = (file: Blob): FormData => {
  const form = new FormData()
  form.set(FIELD, file, 'image')
  return form
}

/** Stores an image of a new item for its working copy, and reports the sent share, as `sendForm` does. */
const storeImage = async (
  copyKey: string,
  slot: ImageSlot,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<ChosenImage> => {
  const url = `${API}/copies/${copyKey}/media/${placeOf(slot)}`
  const stored = await sendForm(url, formOf(file), {}, onProgress, 'PUT')
  return (stored as { readonly image: ChosenImage }).image
}

/** Uploads an image and reports the sent share, as `sendForm` does. */
export const uploadImage = async (
  url: string,
  file: Blob,
  ifMatch: string | undefined,
  onProgress: (share: number) => void,
): Promise<void> => {
  const headers = {
    'Idempotency-Key': newId(),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  }
  await sendForm(url, formOf(file), headers, onProgress)
}

/** The state of one image of an item. */
export interface ImageState {
  /** The image of a new item, which belongs to its working copy until the item is created. */
  readonly chosen?: ChosenImage
  /** The uploaded share, from 0 to 1, during an upload. */
  readonly progress?: number
  readonly failure?: unknown
}

/** The images of the item of an editor. */
interface ItemImages {
  /** Whether an upload is under way. */
  readonly isUploading: boolean
  /** The images that a new item will show. */
  readonly chosen: ChosenImages
  /** Returns the names that the service has for the places of these images, and of those whose upload is under way. */
  readonly places: () => ReadonlyArray<string>
  readonly stateOf: (slot: ImageSlot) => ImageState
  /** Uploads an image; that of a new item belongs to its working copy. */
  readonly choose: (slot: ImageSlot, blob: Blob) => Promise<void>
  readonly remove: (slot: ImageSlot) => Promise<void>
  /** Takes other images for a new item. Returns a function that undoes this. */
  readonly adopt: (images: ChosenImages) => () => void
  /** Makes a new item, which is there now, show its images. Rejects with the first failure. */
  readonly placeChosen: (itemId: string) => Promise<void>
}

type States = Readonly<Record<string, ImageState>>

/** Whether readers see an image, so that its change can be undone (M12). */
const isSeen = ({ item }: Saved, slot: ImageSlot): boolean =>
  item.status === 'Live' && imageUrl(item, slot) !== ''

/** Whether another version of an item still shows the same image. */
const isSameImage = (one: Saved, other: Saved | undefined, slot: ImageSlot): boolean =>
  other !== undefined && imageUrl(one.item, slot) === imageUrl(other.item, slot)

/** How often a change of an image is repeated because something else of the item has changed meanwhile. */
const MOST_REPEATS = 3

/** The working copy of a new item, with the images that it began with. */
interface NewItem {
  readonly copyKey: string
  readonly images: ChosenImages
}

const statesOf = (slots: ReadonlyArray<ImageSlot>, images: ChosenImages): States =>
  Object.fromEntries(
    slots.flatMap((slot) => {
      const chosen = images[placeOf(slot)]
      return chosen === undefined ? [] : [[slot.name, { chosen }]]
    }),
  )

const chosenIn = (slots: ReadonlyArray<ImageSlot>, states: States): ChosenImages =>
  Object.fromEntries(
    slots.flatMap((slot) => {
      const { chosen } = states[slot.name] ?? {}
      return chosen === undefined ? [] : [[placeOf(slot), chosen]]
    }),
  )

/** Shows an item after a change of its images. If other items have changed with it, resolves to what takes that back once the change itself is undone. */
type OnChange = () => Promise<void | (() => Promise<void>)>

/**
 * Returns the images of an item. `savedNow` returns the version that the page shows, `onChange` reads it again. Changes are made one after the other,
 * each of the version before: a second image that is chosen during an upload follows it.
 */
export const useImages = (
  contentType: ContentType,
  slots: ReadonlyArray<ImageSlot>,
  savedNow: () => Saved | undefined,
  onChange: OnChange,
  newItem?: NewItem,
): ItemImages => {
  const { images: words, queue: queueWords } = useMessages()
  const [states, setStates] = useState(() => statesOf(slots, newItem?.images ?? {}))
  const queue = useRef(Promise.resolve())
  const latest = useRef(states)
  const setAll = (next: States) => {
    latest.current = next
    setStates(next)
  }
  const set = ({ name }: ImageSlot, state: ImageState) => setAll({ ...latest.current, [name]: state })
  const now = ({ name }: ImageSlot): ImageState => latest.current[name] ?? {}

  /** Stores an image of a new item; the one before stays if that fails. */
  const store = async (slot: ImageSlot, blob: Blob, copyKey: string): Promise<void> => {
    const { failure: _, ...before } = now(slot)
    try {
      const chosen = await storeImage(copyKey, slot, blob, (progress) => set(slot, { ...before, progress }))
      set(slot, { chosen })
    } catch (failure) {
      const { progress: _, ...kept } = before
      set(slot, { ...kept, failure })
    }
  }

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

  /** Offers to take back the change of an image that readers see (M12). */
  const offerUndo = (slot: ImageSlot, before: Saved, afterUndo: () => Promise<unknown>) => {
    const changed = savedNow()
    if (changed === undefined || !isSeen(before, slot)) return
    const undo = () =>
      void undoChange(contentType, changed.item.itemId, changed.etag)
        .then(afterUndo)
        .catch((failure: unknown) => set(slot, { failure }))
    showToast({ text: words.replaced(words.names[slot.name]), action: { label: queueWords.undo, run: undo } })
  }
  /** Changes an image of the version that the page shows, and again while only other parts of the item have changed meanwhile (C10). */
  const change = async (
    slot: ImageSlot,
    act: (saved: Saved) => Promise<void>,
    repeats = MOST_REPEATS,
  ): Promise<void> => {
    const saved = savedNow()
    if (saved === undefined) return
    try {
      await act(saved)
      set(slot, {})
      const followUp = await onChange()
      offerUndo(slot, saved, followUp ?? onChange)
    } catch (failure) {
      const isStale = isConflict(failure)
      if (isStale) await onChange()
      if (isStale && repeats > 0 && isSameImage(saved, savedNow(), slot))
        return change(slot, act, repeats - 1)
      set(slot, { failure })
    }
  }
  const changeNext = (slot: ImageSlot, act: (saved: Saved) => Promise<void>): Promise<void> => {
    queue.current = queue.current.then(() => change(slot, act))
    return queue.current
  }

  return {
    isUploading: Object.values(states).some(({ progress }) => progress !== undefined),
    chosen: chosenIn(slots, states),
    places: () =>
      slots.filter((slot) => now(slot).chosen !== undefined || now(slot).progress !== undefined).map(placeOf),
    stateOf: ({ name }) => states[name] ?? {},
    choose: async (slot, blob) => {
      if (savedNow() === undefined && newItem !== undefined) {
        const { failure: _, ...before } = now(slot)
        set(slot, { ...before, progress: 0 })
        queue.current = queue.current.then(() => store(slot, blob, newItem.copyKey))
        return queue.current
      }
      set(slot, { progress: 0 })
      await changeNext(slot, ({ item, etag }) => upload(item.itemId, slot, blob, etag))
    },
    remove: async (slot) => {
      if (savedNow() === undefined) return set(slot, {})
      await changeNext(slot, ({ item, etag }) => removeImage(contentType, item.itemId, slot.name, etag))
    },
    adopt: (images) => {
      const before = chosenIn(slots, latest.current)
      setAll(statesOf(slots, images))
      return () => setAll(statesOf(slots, before))
    },
    placeChosen: async (itemId) => {
      const underWay = slots.filter((slot) => now(slot).progress !== undefined)
      await queue.current
      for (const slot of slots) {
        const { chosen, failure } = now(slot)
        if (failure !== undefined && underWay.includes(slot)) throw failure
        if (chosen === undefined) continue
        try {
          await placeImage(contentType, itemId, slot.name, chosen.name)
          set(slot, {})
        } catch (refusal) {
          set(slot, { failure: refusal })
          throw refusal
        }
      }
    },
  }
}

/** The longest side of an image of a publication, in pixels, and the most bytes of any image (D1). */
const LONGEST_SIDE = 4096
const MOST_BYTES = 10 * 1024 * 1024

const JPEG_QUALITY = 0.9

/** Returns a canvas as a JPEG. Rejects if the browser cannot encode it. */
export const toJpeg = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob === null ? reject(new TypeError('no image')) : resolve(blob))
    canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY)
  })

/** Bytes at the beginning of a file that show what it is. */
const HEAD = 64 * 1024

/** Whether a file is a JPEG, or a PNG that does not move, by its content (D7). */
const isStillImage = async (file: Blob): Promise<boolean> => {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  const head = new TextDecoder('latin1').decode(bytes)
  if (bytes[0] === 0xff) return bytes[1] === 0xd8
  return head.startsWith('PNG\r\n', 1) && !head.slice(0, head.indexOf('IDAT')).includes('acTL')
}

/**
 * Reads an image file, with its orientation applied. Resolves to undefined if the browser cannot read it, or it is not a still JPEG or PNG:
 * the service then names its fault, as to every caller.
 */
export const readImage = async (file: Blob): Promise<ImageBitmap | undefined> => {
  if (!(await isStillImage(file))) return undefined
  return createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
}

/** Returns an image of a size that the server accepts: the file itself, or a smaller JPEG of it. */
export const fitImage = async (file: Blob, image: ImageBitmap): Promise<Blob> => {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height))
  if (scale === 1 && file.size <= MOST_BYTES) return file
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const context = canvas.getContext('2d')
  // JPEG has no transparency.
  if (context !== null) {
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return toJpeg(canvas)
}
