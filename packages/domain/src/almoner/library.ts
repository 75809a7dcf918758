import { makeRemoveLibraryImage, makeUploadLibraryImage } from '../content/images.ts'
import { makeCreateLibraryItem, makeUpdateLibraryItem } from '../content/library.ts'
import { makeListLibraryItems } from '../content/lists.ts'
import { makeCheckTranslations, makeLinkTranslation, makeUnlinkTranslation } from '../content/translations.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Publications. */
export interface LibraryArea {
  /**
   * Lists the publications that the caller may see, newest publication date first (A3, C3, C4, C9).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.list(caller, { lang: 'en', lim: 10 })
   * ```
   */
  readonly list: ReturnType<typeof makeListLibraryItems>
  /**
   * Creates a Draft, public and in English by default (B9).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(CreateLibraryItem, { ...publication, itemPublicationDate: '2026-05-01' })
   * if (input.ok) await almoner.promises.library.create(manager, input.value)
   * ```
   */
  readonly create: ReturnType<typeof makeCreateLibraryItem>
  /**
   * Edits a publication and changes its status (C5, C6). `expected` holds the revisions that may be overwritten, or none for any (C10).
   * Fails with HasCounterpart, IllegalTransition, ImageMissing, InsufficientScope, ItemNotFound, PreconditionFailed,
   * ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(UpdateLibraryItem, { ...publication, itemId: item.id, status: 'Live' })
   * if (input.ok) await almoner.promises.library.update(manager, input.value, some(new Set([item.revision])))
   * ```
   */
  readonly update: ReturnType<typeof makeUpdateLibraryItem>
  /**
   * Stores an image of at most 4096 pixels a side as cover or notification image (D1, D3). `bytes` is the uploaded file.
   * Fails with AnimatedImage, BrokenImage, HasCounterpart, ImageMissing, ImageTooLarge, InsufficientScope, ItemNotFound,
   * PreconditionFailed, RightsEnded, UnsupportedImage, WrongImageSize, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.uploadImage(manager, { itemId: item.id, image: 'cover' }, bytes, none)
   * ```
   */
  readonly uploadImage: ReturnType<typeof makeUploadLibraryImage>
  /**
   * Removes the cover or notification image of a publication that is not Live (C8, D3).
   * Fails with HasCounterpart, ImageMissing, ImageNeeded, ImageNotFound, InsufficientScope, ItemNotFound, PreconditionFailed,
   * Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.removeImage(manager, { itemId: item.id, image: 'cover' }, none)
   * ```
   */
  readonly removeImage: ReturnType<typeof makeRemoveLibraryImage>
  /**
   * Links a publication to its counterpart in the other language, in place of earlier links of both (J7). No revision changes.
   * Fails with CounterpartNotFound, InsufficientScope, ItemNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.linkTranslation(manager, { itemId: item.id, counterpartId: counterpart.id })
   * ```
   */
  readonly linkTranslation: ReturnType<typeof makeLinkTranslation>
  /**
   * Removes the link between a publication and its counterpart (J7). No revision changes.
   * Fails with CounterpartNotFound, InsufficientScope, ItemNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.unlinkTranslation(manager, { itemId: item.id })
   * ```
   */
  readonly unlinkTranslation: ReturnType<typeof makeUnlinkTranslation>
  /**
   * Lists publications without a counterpart, with one that is not Live though they are, or with one that changed later (J7). For operators:
   * checks no caller.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.library.checkTranslations()
   * ```
   */
  readonly checkTranslations: ReturnType<typeof makeCheckTranslations>
}

/** Binds the use cases of publications to ports and a policy. */
export const makeLibraryArea = (ports: Ports, policy: Policy): LibraryArea => ({
  list: makeListLibraryItems(ports, policy),
  create: makeCreateLibraryItem(ports),
  update: makeUpdateLibraryItem(ports, policy),
  uploadImage: makeUploadLibraryImage(ports),
  removeImage: makeRemoveLibraryImage(ports),
  linkTranslation: makeLinkTranslation(ports),
  unlinkTranslation: makeUnlinkTranslation(ports),
  checkTranslations: makeCheckTranslations(ports),
})
