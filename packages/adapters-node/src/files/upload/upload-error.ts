/** Why an upload cannot be taken, as plain async code throws it. The message completes "the upload …". */
export class UploadError extends Error {}
