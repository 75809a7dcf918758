import { fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'

/** The name of the file part of an upload (D1). */
export const UPLOAD_FIELD = 'itemUploadMedia'

/** The failure of an upload without an image. */
export const NO_IMAGE: ValidationFailed = validationFailed([fieldError(UPLOAD_FIELD, 'is required')])
