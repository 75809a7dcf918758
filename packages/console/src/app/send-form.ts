import { ApiError } from '@almoner/client'
import { sessionEnd } from './session-end.ts'

/** Reads a response as JSON; undefined if it is none. */
const jsonOf = ({ responseText }: XMLHttpRequest): unknown => {
  try {
    return JSON.parse(responseText)
  } catch {
    return undefined
  }
}

/** Sends a form once. `fetch` does not report progress, so this is an XMLHttpRequest. */
const post = (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
): Promise<XMLHttpRequest> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    )
    request.addEventListener('error', () => reject(new TypeError('The connection failed.')))
    request.addEventListener('load', () => resolve(request))
    request.send(form)
  })

/**
 * Sends a form with files and reports the sent share, from 0 to 1. Waits for the person to sign in again if the session has ended. Returns
 * the response's JSON. Rejects with an `ApiError`, or with a TypeError if there is no connection.
 */
export const sendForm = async (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
): Promise<unknown> => {
  let request = await post(url, form, headers, onProgress)
  while (request.status === 401) {
    await sessionEnd.wait()
    request = await post(url, form, headers, onProgress)
  }
  if (request.status !== 200)
    throw new ApiError({ status: request.status, retryAfter: undefined }, jsonOf(request))
  return jsonOf(request)
}
