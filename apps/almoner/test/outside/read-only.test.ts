import { existsSync } from 'node:fs'
import { API_ROUTES } from '@almoner/adapters-http'
import { sharedCluster } from '@almoner/postgres-server'
import t from 'tap'
import { serve } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { get, tokenOf } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'
import { unpackFixture } from '../support/unreleased.ts'

// I10: a database that its host has made read-only is served from, and never written to.

const SETTING = 'default_transaction_read_only'

/** The id of the first entry of a collection. */
const firstOf = async (url: string, token: string): Promise<string> => {
  const text = await (await get(url, token)).text()
  return /"(?:itemId|labelId|id)":"?([^",]+)/.exec(text)?.[1] ?? 'none'
}

/** The paths of all collections and entries. */
const pathsOf = async (url: string, token: string): Promise<ReadonlyArray<string>> => {
  const ids = {
    '/library/:itemId': `/library/${await firstOf(`${url}/library/`, token)}`,
    '/feed/:itemId': `/feed/${await firstOf(`${url}/feed/`, token)}`,
    '/notification/:id': `/notification/${await firstOf(`${url}/notification`, token)}`,
    ':labelId': await firstOf(`${url}/library/label`, token),
    ':email': 'a@example.org',
  }
  const filled = (path: string) =>
    Object.entries(ids).reduce((text, [part, id]) => text.replace(part, id), path)
  const reading = API_ROUTES.filter(({ method }) => method === 'GET')
  return reading.map(({ path }) => filled(path).replaceAll(/:\w+/g, '1'))
}

t.test('I10: every GET is served while the database only reads, writes and new tokens are 503', async (t) => {
  const cluster = await sharedCluster()
  await cluster.createDatabase('kept')
  const folder = t.testdir()
  const variables = { ALMONER_DATABASE: cluster.url('kept'), ALMONER_MEDIA: `file:${folder}/media` }
  const command = (...args: ReadonlyArray<string>) => inProcess(args, variables)
  t.match(await command('import', unpackFixture('d14f9626', 'export', folder)), { code: 0 })
  const added = await command(
    'client',
    'add',
    '--id',
    'desk',
    '--role',
    'super-admin',
    '--role',
    'user-manager',
    '--json',
  )
  const credentials = JSON.parse(added.out)

  const open = await serve(folder, [], variables)
  const { access_token } = await tokenOf(open.url, credentials)
  const paths = await pathsOf(open.url, access_token)
  const statuses = async (url: string) =>
    Promise.all(paths.map(async (path) => `${path} ${(await get(`${url}${path}`, access_token)).status}`))
  const before = await statuses(open.url)

  await cluster.ask(`alter database kept set ${SETTING} = on`)
  const begun = await serve(folder, [], variables)
  for (const { url } of [open, begun]) {
    t.strictSame(await statuses(url), before)
    const headers = { authorization: `Bearer ${access_token}` }
    const writes = [
      await call(`${url}/oauth2/get-token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', ...credentials }),
      }),
      await call(`${url}/user/a@example.org/notification/preference`, {
        method: 'PUT',
        headers,
        body: new URLSearchParams({ lang: 'fr' }),
      }),
      await call(`${url}/notification/${await firstOf(`${url}/notification`, access_token)}`, {
        method: 'DELETE',
        headers,
      }),
      await call(`${url}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: access_token, ...credentials }),
      }),
    ]
    t.strictSame(
      writes.map(({ status, headers }) => [status, headers.get('retry-after')]),
      writes.map(() => [503, '5']),
    )
    const ready = await call(`${url}/health/ready`)
    t.match([ready.status, await ready.json()], [200, { status: 'ready', degraded: [/takes no writes/] }])
    t.strictSame(await statuses(url), before, 'nothing has changed')
  }
  t.match(await command('doctor'), { code: 1, out: /^fault {4}database: the database takes no writes/m })
  t.match(await command('client', 'list'), { code: 0, out: /desk/ })
  t.match(await command('export', `${folder}/all.tar`), { out: /^\d+ rows and \d+ images in / })
  t.ok(existsSync(`${folder}/all.tar`))
  t.match(await command('client', 'disable', 'desk'), { code: 1, err: /takes no writes/ })
  t.match(await command('migrate'), { code: 0, out: /up to date/ })

  await cluster.ask(`begin read write; alter database kept reset ${SETTING}; commit`)
  for (const server of [open, begun]) {
    t.equal((await tokenOf(server.url, credentials)).expires_in, 3600)
    t.strictSame(await (await call(`${server.url}/health/ready`)).json(), { status: 'ready' })
    t.equal((await server.stop()).code, 0)
  }
})
