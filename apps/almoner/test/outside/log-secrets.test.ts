import t from 'tap'
import { coreOf, newCanaries, seenIn } from '../../../../packages/adapters-http/test/support/canaries.ts'
import { type Server, serve } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { addClient, askToken, type Credentials, get, tokenOf } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Sends secrets in every place of valid and invalid requests; returns the values that the log must hide. */
const send = async ({ url }: Pick<Server, 'url'>, client: Credentials) => {
  const canaries = newCanaries()
  const { token, secret, email, device, text } = canaries
  const { access_token: right } = await tokenOf(url, client)
  const bearer = { authorization: `Bearer ${right}` }
  const form = (fields: Readonly<Record<string, string>>) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const json = (value: unknown, headers = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  })
  const user = `${url}/user/${encodeURIComponent(email)}/notification`
  await askToken(url, { ...client, client_secret: secret })
  await askToken(url, { client_id: email, client_secret: client.client_secret })
  await get(`${url}/library/`, right)
  await get(`${url}/library/${token}`, right)
  await get(`${url}/nowhere/${token}?access_token=${right}`, right)
  for (const value of [right, token, `${right}x`]) {
    await call(`${url}/feed/?access_token=${value}`)
    await call(`${url}/library/`, form({ access_token: value, itemTitle: text }))
    await call(`${url}/feed/`, json({ access_token: value, itemTitle: text, link: email }))
  }
  await call(`${user}/token`, json({ device_token: device }, bearer))
  await call(`${user}/token`, {
    headers: { ...bearer, cookie: `session=${secret}`, 'if-match': `"${coreOf(text)}"` },
  })
  await call(`${user}/token/${device}`, { method: 'DELETE', headers: bearer })
  await call(`${user}/preference`, {
    method: 'PUT',
    headers: bearer,
    body: new URLSearchParams({ lang: secret }),
  })
  await call(`${url}/oauth2/revoke`, {
    ...form({ token: right }),
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
  })
  return { ...canaries, core: coreOf(text), right, own: client.client_secret }
}

t.test(
  'A5: personal data of requests is in no stream and no trace of the server, at any level',
  async (t) => {
    const folder = t.testdir()
    const client = await addClient(folder, 'app', 'content-manager', 'user-manager')
    for (const level of LEVELS) {
      const collector = await startCollector()
      const server = await serve(folder, [], {
        ALMONER_LOG_LEVEL: level,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      })
      const hidden = await send(server, client)
      const figures = await (await call(`${server.url}/metrics`)).text()
      const { out, err } = await server.stop()
      t.equal(err.includes('"msg":"answered"'), ['trace', 'debug', 'info'].includes(level), level)
      await collector.stop()
      const traced = collector.sent.map(({ body }) => body.toString()).join('')
      t.ok(traced.includes('/library/:itemId'), 'requests are traced')
      const told = `${out}${err}${figures}${traced}`
      t.same(seenIn(told, hidden), [], `${level}: not on a stream, in metrics or in a trace`)
    }
  },
)
