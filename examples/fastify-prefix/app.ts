import { LARGEST_HEAD, LONGEST_SEGMENT } from '@almoner/adapters-http'
import { type Client, type ClientId, makeAddClient } from '@almoner/domain'
import Fastify, { LogController } from 'fastify'
import { isRight } from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'
import { addCharity } from './charity.ts'

/** The application as it was, and the charity under `/charity`. */
export const build = async (folder: string, baseUrl: string) => {
  const app = Fastify({
    // What the charity's paths need: device tokens are long, and a slash at the end changes nothing.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
    // Addresses hold tokens and emails, and Fastify logs the address of every request.
    logger: true,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.get('/hello', async () => ({ hello: 'world' }))
  const ports = await addCharity(app, { folder, baseUrl, prefix: '/charity' })
  return { app, ports }
}

/** A client that may do everything, bound to no user. */
export const OFFICE: Client = {
  id: 'office' as ClientId,
  name: 'The office',
  scopes: ['content-manager'],
  roles: [],
  email: none,
  disabled: false,
}

if (process.argv[1] === import.meta.filename) {
  const { app, ports } = await build('./data', 'http://127.0.0.1:4000')
  // The secret is printed once. On the next start the client exists already.
  const added = await makeAddClient(ports)(OFFICE)()
  if (isRight(added)) console.log('client', OFFICE.id, 'secret', added.right.secret)
  process.once('SIGTERM', () => app.close())
  process.once('SIGINT', () => app.close())
  await app.listen({ host: '127.0.0.1', port: 4000 })
}
