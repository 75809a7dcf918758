import t from 'tap'
import { serve } from './support/almoner.ts'
import { call } from './support/asking.ts'
import { addClient, askToken, get, tokenOf } from './support/client.ts'

t.test('A5: neither tokens nor secrets come into the log, at any level', async (t) => {
  const folder = t.testdir()
  const client = await addClient(folder, 'app', 'content-manager')
  const server = await serve(folder, [], { ALMONER_LOG_LEVEL: 'trace' })
  const { access_token: token } = await tokenOf(server.url, client)
  const wrong = 'a-secret-that-is-not-the-one'
  await askToken(server.url, { ...client, client_secret: wrong })
  await askToken(server.url, { client_id: wrong, client_secret: client.client_secret })
  await get(`${server.url}/library/`, token)
  await get(`${server.url}/library/${token}`, token)
  await get(`${server.url}/nowhere/${token}?access_token=${token}`, token)
  await call(`${server.url}/feed/?access_token=${token}`)
  await call(`${server.url}/feed/?access_token=${token}x`)
  await call(`${server.url}/library/`, {
    method: 'POST',
    body: new URLSearchParams({ access_token: token }),
  })
  await call(`${server.url}/oauth2/revoke`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`app:${client.client_secret}`)}` },
    body: new URLSearchParams({ token }),
  })
  const { err } = await server.stop()
  t.match(err, '"msg":"answered"')
  for (const secret of [token, client.client_secret, wrong]) t.notOk(err.includes(secret))
})
