import { fault, type Invalid, invalid } from '../values/faults.ts'

/** The name of the file part of an upload (D1). */
export const UPLOAD_FIELD = 'itemUploadMedia'

/** The failure of an upload without an image. */
export const NO_IMAGE: Invalid = invalid([fault(UPLOAD_FIELD, 'is required')])
