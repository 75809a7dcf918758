import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { disagreements, type Exchange } from '../../../../packages/adapters-http/test/support/conformity.ts'
import { logLines, type Server } from './almoner.ts'

/** An answer, read. */
export interface ScriptedResponse {
  readonly status: number
  readonly id: string
  readonly body: string
}

const check = (exchange: Exchange): void => {
  const wrong = disagreements(exchange)
  if (wrong.length > 0)
    throw new Error(`${exchange.method} ${exchange.target} ${exchange.status}: ${wrong.join('; ')}`)
}

const targetOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

/**
 * As fetch, of a server of this project.
 * @throws when the answer is not as the OpenAPI document has it (I3)
 */
export const call = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const answer = await fetch(url, init)
  check({
    method: init.method ?? 'GET',
    target: targetOf(url),
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.clone().text(),
  })
  return answer
}

/** Asks by HTTP as a plain client does: what goes wrong on a connection is not tried again. Checks as {@link call} does. */
export const ask = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent | false = false,
): Promise<ScriptedResponse> => {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent }).on('response', resolve).on('error', reject).end()
  })
  const { statusCode = 0, headers: fields } = message
  const body = await text(message)
  check({
    method: 'GET',
    target: targetOf(url),
    status: statusCode,
    headers: fields as Readonly<Record<string, string>>,
    body,
  })
  return { status: statusCode, id: String(fields['x-request-id']), body }
}

/** A client with one connection, which it keeps as long as the server does. */
export const oneConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })

/** The number of the worker that gave an answer, as its log line has it. */
export const workerOf = async (server: Server, { id }: ScriptedResponse): Promise<unknown> => {
  await server.logged(id)
  return logLines(server.said().err).find(({ requestId }) => requestId === id)?.['worker']
}

/** The process ids of the workers that took requests so far, in the order in which they began. */
export const workerPids = (server: Server): ReadonlyArray<number> =>
  logLines(server.said().err).flatMap(({ msg, workerPid }) =>
    msg === 'a worker takes requests' ? [Number(workerPid)] : [],
  )
