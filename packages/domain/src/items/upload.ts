import { fault, type Invalid, invalid } from '../values/faults.ts'

/** The name of the file part of an upload (D1). */
export const UPLOAD_FIELD = 'itemUploadMedia'

/** What is answered when no image came with an upload. */
export const NO_IMAGE: Invalid = invalid([fault(UPLOAD_FIELD, 'is required')])
