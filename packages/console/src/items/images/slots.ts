import { type ContentType, type Item, isPost } from '../items.ts'

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

/** Returns the images that items of a type have. */
export const slotsOf = (contentType: ContentType): ReadonlyArray<ImageSlot> => SLOTS[contentType]

/** Returns the URL of an image of an item; empty if there is none. */
export const imageUrl = (item: Item, slot: ImageSlot): string => {
  if (isPost(item)) return item.itemRelatedLink
  return slot.name === 'cover' ? item.coverImgUrl : item.notificationImgUrl
}
