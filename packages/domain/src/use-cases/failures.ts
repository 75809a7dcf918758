import type { InsufficientScope, RightsEnded } from '../access/caller.ts'
import type { HasCounterpart } from '../items/counterparts.ts'
import type { IllegalTransition, ItemNotFound, PreconditionFailed } from '../items/item.ts'
import type { ImageNeeded, ImageNotFound } from '../items/library-edits.ts'
import type { ImageFault } from '../media/model.ts'
import type { ImageMissing } from '../ports/item-store.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'

/** What any write to an item may meet. */
type WriteError =
  | InsufficientScope
  | ItemNotFound
  | PreconditionFailed
  | ImageMissing
  | HasCounterpart
  | Unavailable

/** How updating an item can fail. */
export type UpdateError = WriteError | IllegalTransition | ValidationFailed

/** How uploading an item's image can fail. */
export type UploadError = WriteError | ImageFault | RightsEnded

/** How removing an item's image can fail. */
export type RemoveError = WriteError | ImageNeeded | ImageNotFound
