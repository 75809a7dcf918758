import { ApiError } from '@almoner/client'
import { asksForProof, proof, sessionEnd } from './api.ts'

/** Reads a response as JSON; undefined if it is none. */
const jsonOf = ({ responseText }: XMLHttpRequest): unknown => {
  try {
    return JSON.parse(responseText)
  } catch {
    return undefined
  }
}

type Method = 'POST' | 'PUT'

/** Sends a form once. `fetch` does not report progress, so this is an XMLHttpRequest. */
const send = (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
  method: Method,
): Promise<XMLHttpRequest> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    )
    request.addEventListener('error', () => reject(new TypeError('The connection failed.')))
    request.addEventListener('load', () => resolve(request))
    request.send(form)
  })

/** Waits for the person to sign in again, if a response needs it. Returns whether to send the form again. */
const isRenewed = async (request: XMLHttpRequest): Promise<boolean> => {
  if (request.status !== 401) return asksForProof(request.status, jsonOf(request)) && proof.wait()
  await sessionEnd.wait()
  return true
}

/**
 * Sends a form with files and reports the sent share, from 0 to 1. Waits for the person to sign in again if the session has ended, or the
 * server asks for a proof of presence (M10). Returns the response's JSON. Rejects with an `ApiError`, or with a TypeError if there is no connection.
 */
export const sendForm = async (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
  method: Method = 'POST',
): Promise<unknown> => {
  let request = await send(url, form, headers, onProgress, method)
  while (await isRenewed(request)) request = await send(url, form, headers, onProgress, method)
  if (request.status !== 200)
    throw new ApiError({ status: request.status, retryAfter: undefined }, jsonOf(request))
  return jsonOf(request)
}
