import { ApiError } from '@almoner/client'
import { asksForProof, proof, sessionEnd } from './api.ts'

/** How far the server is with the files that it was sent. */
export interface ServerProgress {
  readonly step: 'checking' | 'storing'
  readonly done: number
  readonly of: number
}

/** Takes the sent share of a form, from 0 to 1, and then what the server does with it, if it says so. */
export type OnProgress = (share: number, server?: ServerProgress) => void

/** A line of a response that comes in steps. */
interface Line {
  readonly progress?: ServerProgress
  readonly result?: unknown
  readonly problem?: { readonly status: number }
}

const LINES = 'application/x-ndjson'

/** Reads a text as JSON; undefined if it is none. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const comesInLines = (request: XMLHttpRequest): boolean =>
  request.getResponseHeader('Content-Type')?.startsWith(LINES) === true

/** What a server has answered. */
interface Response {
  readonly status: number
  readonly body: unknown
}

/** Returns a response as if it had come at once. One that was cut off before its last line has no status. */
const responseOf = (request: XMLHttpRequest): Response => {
  if (!comesInLines(request)) return { status: request.status, body: parse(request.responseText) }
  const { result, problem } = Object(parse(request.responseText.trimEnd().split('\n').at(-1) ?? '')) as Line
  if (problem !== undefined) return { status: problem.status, body: problem }
  if (result === undefined) throw new TypeError('The response was cut off.')
  return { status: 200, body: result }
}

/** Returns a function that reports the latest step in the part of a response that has arrived. */
const readSteps = (request: XMLHttpRequest, onProgress: OnProgress) => {
  let read = 0
  return (): void => {
    if (!comesInLines(request)) return
    const end = request.responseText.lastIndexOf('\n')
    if (end < read) return
    const latest = request.responseText.slice(read, end).split('\n').at(-1) ?? ''
    read = end + 1
    const { progress } = Object(parse(latest)) as Line
    if (progress !== undefined) onProgress(1, progress)
  }
}

type Method = 'POST' | 'PUT'

/** Sends a form once. `fetch` does not report progress, so this is an XMLHttpRequest. */
const send = (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: OnProgress,
  method: Method,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.setRequestHeader('Accept', `${LINES}, application/json`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    )
    request.addEventListener('progress', readSteps(request, onProgress))
    request.addEventListener('error', () => reject(new TypeError('The connection failed.')))
    request.addEventListener('load', () => {
      try {
        resolve(responseOf(request))
      } catch (error) {
        reject(error)
      }
    })
    request.send(form)
  })

/** Waits for the person to sign in again, if a response needs it. Returns whether to send the form again. */
const isRenewed = async ({ status, body }: Response): Promise<boolean> => {
  if (status !== 401) return asksForProof(status, body) && proof.wait()
  await sessionEnd.wait()
  return true
}

/**
 * Sends a form with files and reports how far it is. Waits for the person to sign in again if the session has ended, or the
 * server asks for a proof of presence (M10). Returns the response's JSON. Rejects with an `ApiError`, or with a TypeError if there is no connection.
 */
export const sendForm = async (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onProgress: OnProgress,
  method: Method = 'POST',
): Promise<unknown> => {
  let response = await send(url, form, headers, onProgress, method)
  while (await isRenewed(response)) response = await send(url, form, headers, onProgress, method)
  const { status, body } = response
  if (status !== 200) throw new ApiError({ status, retryAfter: undefined }, body)
  return body
}
