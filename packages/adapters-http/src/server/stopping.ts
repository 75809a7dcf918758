import type { FastifyInstance } from 'fastify'

/**
 * Ends each connection with the answer that is under way on it when the server begins to stop, so that stopping takes no longer
 * than what runs. Idle connections are closed by Fastify itself.
 */
export const endConnectionsWhenStopping = (app: FastifyInstance): void => {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', async (_, reply) => {
    if (stopping) reply.header('Connection', 'close')
  })
  // Answers whose headers had gone out before could not say so.
  app.addHook('onResponse', async () => {
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  })
}
