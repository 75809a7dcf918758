import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { CONSOLE_PATH } from '../settings.ts'

/** Whether the router finds a URL below the console: it decodes paths. */
const isOfConsole = (url: string): boolean => {
  try {
    const path = decodeURI(new URL(url, 'http://localhost').pathname)
    return path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`)
  } catch {
    // The router rejects it.
    return false
  }
}

/** Lets pages of some origins call the API. The console serves its own pages only, so no response below it has a CORS header (M5). */
export const allowOrigins = async (app: FastifyInstance, origins: ReadonlyArray<string>): Promise<void> => {
  const options: FastifyCorsOptions = {
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
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Total-Count',
    ],
    maxAge: 600,
  }
  await app.register(cors, {
    delegator: ({ url }, done) => done(null, isOfConsole(url) ? { origin: false } : options),
  })
}
