import { DEFAULT_POLICY, type Ports } from '@almoner/domain'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import multipart, {
  type FastifyMultipartAttachFieldsToBodyOptions,
  type FastifyMultipartOptions,
} from '@fastify/multipart'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import { type AlmonerPluginOptions, almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '../../src/index.ts'
import { openBackend, type Who } from './fixture.ts'
import { FEED_ITEM } from './samples.ts'

export const HOST_URL = 'https://host.example.org'

/** Settings of a test's host. */
export interface HostOptions {
  readonly plugin?: Partial<AlmonerPluginOptions>
  readonly server?: FastifyServerOptions
  /** The OpenAPI version of the host's document. */
  readonly openapi?: string
  readonly multipart?: FastifyMultipartOptions | FastifyMultipartAttachFieldsToBodyOptions
  /** Adds more to the host, before the plugin. */
  readonly prepare?: (app: FastifyInstance) => unknown
  readonly wrap?: (ports: Ports) => Ports
}

/** The host's own plugins, hooks, error handler and routes. `seen` collects what its hooks see. */
const addOwnParts = async (app: FastifyInstance, { openapi, multipart: options = {} }: HostOptions) => {
  const seen: Array<string> = []
  const errors: Array<Error> = []
  await app.register(formbody)
  await app.register(multipart, options)
  await app.register(cors, { origin: [HOST_URL] })
  await app.register(helmet)
  await app.register(swagger, {
    openapi: { ...(openapi && { openapi }), info: { title: 'Host', version: '1' } },
  })
  app.addHook('onRequest', async (request) => {
    seen.push(`${request.method} ${request.routeOptions.url}`)
  })
  app.addHook('onError', async (_request, _reply, error) => {
    errors.push(error)
  })
  app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ host: error.message }))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: 'nothing here' }))
  app.get('/own/fault', async () => {
    throw new Error('of its own')
  })
  app.post(
    '/own/echo',
    { schema: { body: { type: 'object', required: ['name'] } } },
    async ({ body }) => body,
  )
  app.post('/own/upload', async (request) => ({ bytes: (await (await request.file())?.toBuffer())?.length }))
  return { seen, errors }
}

/** An application with plugins, hooks, an error handler and routes of its own, and the API under `/charity`, on a real socket. */
export const startHost = async (t: Test, options: HostOptions = {}) => {
  const folder = t.testdir()
  const backend = await openBackend(folder, `${folder}/media`, {
    store: 'memory',
    baseUrl: `${HOST_URL}/charity`,
  })
  const lines: Array<string> = []
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => lines.push(line) } },
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
    ...options.server,
  } as FastifyServerOptions)
  t.teardown(async () => {
    await app.close()
    await backend.close()
  })
  const own = await addOwnParts(app, options)
  await options.prepare?.(app)
  const ports = options.wrap?.(backend.ports) ?? backend.ports
  const almoner = { ports, policy: DEFAULT_POLICY, images: backend.media }
  await app.register(almonerPlugin, {
    almoner,
    prefix: '/charity',
    baseUrl: HOST_URL,
    ...options.plugin,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  /** Gets a token for one of the usual clients. */
  const token = async (who: Who): Promise<string> => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: who,
      client_secret: backend.secrets[who] ?? '',
    })
    const response = await fetch(`${url}/charity/oauth2/get-token`, { method: 'POST', body })
    return ((await response.json()) as { access_token: string }).access_token
  }
  const as = async (who: Who) => ({ authorization: `Bearer ${await token(who)}` })

  /** Creates a feed item as the donor, and returns its id. */
  const newPost = async (): Promise<string> => {
    const response = await fetch(`${url}/charity/feed/`, {
      method: 'POST',
      headers: await as('donor'),
      body: new URLSearchParams(FEED_ITEM),
    })
    return ((await response.json()) as { item: { itemId: string } }).item.itemId
  }
  return { app, url, lines, backend, token, as, newPost, ...own }
}
