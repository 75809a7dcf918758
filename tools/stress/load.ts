import { once } from 'node:events'
import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** A request of Node's plain client, which tries nothing again. Without an agent it has a connection for itself. */
export interface PlainRequest {
  readonly agent: Agent | false
  readonly method?: string | undefined
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | Buffer | undefined
}

/** Sends a request and resolves to the status once the answer is whole. */
export const statusOf = async (url: string, { body, ...options }: PlainRequest): Promise<number> => {
  const method = options.method ?? (body === undefined ? 'GET' : 'POST')
  const sent = request(url, { ...options, method, timeout: 30_000 })
  sent.on('timeout', () => sent.destroy(new Error('too slow'))).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await buffer(answer)
  return answer.statusCode ?? 0
}

/** Calls at a steady rate, whether or not earlier calls have ended, until it is aborted. Then waits for all calls. */
export const atRate = async (
  perSecond: number,
  signal: AbortSignal,
  call: (n: number) => Promise<void>,
): Promise<void> => {
  const calls = new Set<Promise<void>>()
  const start = performance.now()
  for (let n = 0; !signal.aborted; await pause(5))
    for (; n < ((performance.now() - start) / 1000) * perSecond; n += 1) {
      const made = call(n)
      calls.add(made)
      void made.finally(() => calls.delete(made))
    }
  await Promise.all(calls)
}
