import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Lets pages of some origins call the API. */
export const allowOrigins = async (app: FastifyInstance, origins: ReadonlyArray<string>): Promise<void> => {
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    // Another plugin answers OPTIONS, with Allow, for any caller (B3).
    preflightContinue: true,
    strictPreflight: false,
    exposedHeaders: [
      'API-Version',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Total-Count',
    ],
    maxAge: 600,
  })
}
