import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { READY_PATH } from '../paths.ts'

/** Why a service is not ready, as its callers may know it: a name that stays, and a sentence. The `cause` is for the log only. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly reason: string

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Milliseconds for an answer. */
const PATIENCE = 5000

const answerOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    // An agent might go through a proxy.
    const options = { agent: false, signal: AbortSignal.timeout(PATIENCE) }
    request(url, options, (response) => text(response).then(resolve, reject))
      .on('error', reject)
      .end()
  })

const namesIn = (body: string): ReadonlyArray<string> => {
  const { errors } = Object(JSON.parse(body)) as { readonly errors?: unknown }
  return Array.isArray(errors) ? errors.map((error) => String(Object(error).field)) : []
}

/** Asks the server on a port for the reasons why it is not ready. None if no server, or another one, is there. @throws Error if it does not answer */
export const reasonsNotReady = async (url: string): Promise<ReadonlyArray<string>> => {
  try {
    return namesIn(await answerOf(`${url}${READY_PATH}`))
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw new Error('no answer within 5 s')
    return []
  }
}
