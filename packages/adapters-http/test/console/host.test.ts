import { openPortfolioUpload } from '@almoner/adapters-node/files'
import { DEFAULT_POLICY, type Email } from '@almoner/domain'
import { type ManagerName, makeAddManager } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import { memoryPorts } from '@almoner/testkit/memory'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { consoleOf } from '../../src/console/index.ts'
import { ASSETS, OWN_PAGE } from '../support/console.ts'

const BASE_URL = 'https://host.example.org'

/** An application with its own routes and error handler, and a console. */
const start = async (t: Test) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ host: true }))
  app.get('/own', async () => {
    throw new Error('of its own')
  })
  const ports = memoryPorts()
  await app.register(
    consoleOf({
      ports,
      policy: DEFAULT_POLICY,
      openPortfolio: openPortfolioUpload(),
      baseUrl: () => BASE_URL,
      assets: async () => ASSETS,
    }),
  )
  const manager = {
    ...{ email: 'ada@example.org' as Email, name: 'Ada' as ManagerName },
    ...({ lang: 'en', duty: 'editor', disabled: false } as const),
  }
  const { secret } = await done(makeAddManager(ports)(manager))
  return { app, secret }
}

const post = (app: FastifyInstance, url: string, rest: InjectOptions) =>
  app.inject({ method: 'POST', url, ...rest, headers: { ...OWN_PAGE, ...rest.headers } })

t.test('M1: an application has a console if it registers one', async (t) => {
  const { app, secret } = await start(t)
  const entered = await post(app, '/console/api/sign-in/link', { payload: { token: secret } })
  t.equal(entered.statusCode, 200)
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const page = await app.inject({ url: '/console/desk', headers: { cookie } })
  t.match([page.statusCode, page.body], [200, /App/])
  t.match(page.headers, { 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
  const list = await app.inject({ url: '/console/api/library/?lim=1&lang=en', headers: { cookie } })
  t.same([list.statusCode, list.json()], [200, { items: [] }])
  t.match(list.headers, { 'api-version': '1', 'cache-control': 'private, no-cache' })
})

t.test('M1, I1: faults of the console are problems, faults of the application its own', async (t) => {
  const { app, secret } = await start(t)
  const entered = await post(app, '/console/api/sign-in/link', { payload: { token: secret } })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const bad = await post(app, '/console/api/library/', {
    payload: '{',
    headers: { cookie, 'content-type': 'application/json' },
  })
  t.match([bad.statusCode, bad.json()], [400, { code: 'invalid_request' }])
  t.match((await app.inject('/console/api/nowhere')).json(), { code: 'not_found' })
  t.match((await app.inject('/console/api/session')).json(), { code: 'invalid_session' })
  t.same((await app.inject('/own')).json(), { host: true })
  t.notOk((await app.inject('/own')).headers['x-frame-options'])
})
