import { ApiError } from '@almoner/client'

/** The field of the form that holds the file (D1). */
const FIELD = 'itemUploadMedia'

const problemOf = (request: XMLHttpRequest): unknown => {
  try {
    return JSON.parse(request.responseText)
  } catch {
    return undefined
  }
}

/**
 * Uploads an image and reports the sent share, from 0 to 1. `fetch` does not report progress, so this is an XMLHttpRequest. Rejects with
 * an `ApiError`, or with a TypeError if there is no connection.
 */
export const uploadImage = (
  url: string,
  file: Blob,
  ifMatch: string | undefined,
  onProgress: (share: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.set(FIELD, file, 'image')
    request.open('POST', url)
    if (ifMatch !== undefined) request.setRequestHeader('If-Match', ifMatch)
    request.setRequestHeader('Idempotency-Key', crypto.randomUUID())
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    )
    request.addEventListener('error', () => reject(new TypeError('The connection failed.')))
    request.addEventListener('load', () => {
      if (request.status === 200) resolve()
      else reject(new ApiError({ status: request.status, retryAfter: undefined }, problemOf(request)))
    })
    request.send(form)
  })
