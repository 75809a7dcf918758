import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'

/** What this process was told by whoever started it. */
export const told = async <A>(): Promise<A> => {
  const [word] = await once(process, 'message')
  return word as A
}

/** Listens on a free port of loopback, says where, and ends with whoever started this process. */
export const listen = async (app: FastifyInstance): Promise<void> => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(url)
  process.once('disconnect', () => process.exit())
}
