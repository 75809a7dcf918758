import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { MediaName } from '@almoner/domain/media'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { fileForm, PNG } from '../../../../packages/adapters-http/test/support/uploads.ts'
import { startS3Store } from '../../../../packages/adapters-media/test/support/s3-store.ts'
import { startTroubled } from '../../../../packages/adapters-media/test/support/troubled.ts'
import { openMedia } from '../../src/composition/media.ts'
import { readSettings } from '../../src/config/read.ts'
import { serve, type Variables } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { addClient, tokenOf } from '../support/client.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'
import { TABLES, writeFolder } from '../support/portfolio.ts'

// D2: images in a bucket, by the settings.

const store = await startS3Store()
t.teardown(() => store.stop())

const AWS: Variables = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-west-3' }

/** A database in a folder, and images in a bucket behind a proxy that can make trouble. */
const given = async (t: Test, more: Variables = {}) => {
  const folder = t.testdir()
  const proxy = await startTroubled(store.endpoint)
  t.teardown(proxy.stop)
  const variables = {
    ...AWS,
    ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
    ALMONER_MEDIA: `s3://${store.newBucket()}/media?endpoint=${proxy.endpoint}`,
    ...more,
  }
  return { folder, proxy, variables }
}

/** Creates an item and uploads its cover; gives where that is. */
const uploadTo = async (url: string, token: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` }
  const fields = { itemTitle: 'a', itemDescription: 'b', link: 'https://example.org' }
  const body = new URLSearchParams({ ...fields, itemPublicationDate: '2026-01-01' })
  const created = (await (await call(`${url}/library/`, { method: 'POST', headers, body })).json()) as {
    readonly items: ReadonlyArray<{ readonly item: { readonly itemId: string } }>
  }
  const path = `${url}/library/${created.items[0]?.item.itemId}`
  await call(`${path}/media/cover`, { method: 'POST', headers, body: fileForm({ bytes: PNG }) })
  const { items } = (await (await call(path, { headers })).json()) as {
    readonly items: ReadonlyArray<{ readonly item: { readonly coverImgUrl: string } }>
  }
  return items[0]?.item.coverImgUrl ?? ''
}

t.test(
  'D2: serve stores images in the bucket, serves them, and is not ready while the bucket is unavailable',
  async (t) => {
    const { folder, proxy, variables } = await given(t)
    const credentials = await addClient(folder, 'manager', 'content-manager')
    const server = await serve(folder, [], variables)
    const { access_token } = await tokenOf(server.url, credentials)
    const url = await uploadTo(server.url, access_token)
    t.match(url, new RegExp(`^${server.url}/static/media/[\\w-]+\\.png$`))
    const image = await call(url)
    t.equal(image.status, 200)
    t.equal(image.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal((await call(`${server.url}/health/ready`)).status, 200)
    proxy.make(() => 'refusal')
    t.equal((await call(`${server.url}/health/ready`)).status, 503)
    t.equal((await call(url)).status, 503)
    proxy.make(() => 'none')
    t.equal((await call(`${server.url}/health/ready`)).status, 200)
    t.equal((await call(url)).status, 200)
    const { code, err } = await server.stop()
    t.equal(code, 0)
    t.notMatch(err, /X-Amz|AWS4|Signature/)
  },
)

t.test('D2: readers are redirected as the settings say', async (t) => {
  const name = 'an_image-of-no-importance.png' as MediaName
  for (const [serving, form, lasting] of [
    ['signed', /^http:\/\/127\.0\.0\.1:\d+\/bucket-\d+\/media\/an_.*X-Amz-Expires=300&/, 0],
    [
      'public:https://cdn.example.org/x',
      /^https:\/\/cdn\.example\.org\/x\/an_image-of-no-importance\.png$/,
      300,
    ],
  ] as const) {
    const { variables } = await given(t, { ALMONER_MEDIA_SERVE: serving })
    const settings = readSettings(variables)
    if (E.isLeft(settings)) throw new Error('expected settings', { cause: settings.left })
    const { source, close } = await openMedia(settings.right)
    t.teardown(close)
    if (source.elsewhere === undefined) throw new Error('expected addresses elsewhere')
    t.match(await done(source.elsewhere.addressOf({ kind: 'upload', name }, 'GET')), form)
    t.equal(source.elsewhere.lasting, lasting)
  }
})

t.test('H1: images of the portfolio are stored in the bucket', async (t) => {
  const { folder, proxy, variables } = await given(t)
  const { code, err } = await inProcess(['portfolio', 'load', writeFolder(folder, TABLES, 'json')], variables)
  t.strictSame([code, err], [0, ''])
  const { organizations } = await onStore(folder, ({ portfolio }) => done(portfolio.content()))
  t.ok(organizations.length > 0)
  t.ok(proxy.seen.some((line) => /^PUT .*\/media\/portfolio\/logo\/[\w-]+\.[0-9a-f]{16}\.svg/.test(line)))
})

t.test('D2, D10: an unusable bucket stops the start, and the doctor reports the fix', async (t) => {
  const { folder, proxy, variables } = await given(t)
  const look = async () => {
    const { out } = await inProcess(['doctor', '--json'], variables)
    const { findings } = JSON.parse(out) as { findings: ReadonlyArray<{ check: string }> }
    return findings.filter(({ check }) => check === 'media')
  }
  t.match(await look(), [
    { level: 'ok', what: 'an image could be stored, read, listed and deleted in the bucket' },
  ])
  const pathsOf = (method: string): ReadonlyArray<string> =>
    proxy.seen
      .filter((line) => line.startsWith(`${method} `))
      .map((line) => line.slice(method.length + 1).replace(/\?.*/, ''))
  t.equal(pathsOf('PUT').length, 1)
  const stored = pathsOf('PUT')
  const deleted = pathsOf('DELETE').filter((path) => stored.includes(path))
  t.strictSame(deleted, stored, 'nothing stays')
  proxy.make(() => 'refusal')
  t.match(await look(), [
    { level: 'fault', what: /^the bucket bucket-\d+ is not available/, fix: /s3:ListBucket/ },
  ])
  const loaded = await inProcess(['portfolio', 'load', writeFolder(folder, TABLES, 'json')], variables)
  t.equal(loaded.code, 1)
  t.match(loaded.err, /the bucket bucket-\d+ is not available: the S3 store: listing images: it answered/)
})

t.test('D2: the S3 client is loaded only if it is used', async (t) => {
  const program = join(import.meta.dirname, '../../src/cli/program.ts')
  const script = `
    const { cache } = (await import('node:module')).createRequire(process.cwd() + '/')
    const isLoaded = () => Object.keys(cache).some((path) => path.includes('/node_modules/@aws-sdk/'))
    await import(${JSON.stringify(program)})
    const before = isLoaded()
    await import('@almoner/adapters-media/s3')
    console.log(JSON.stringify({ before, after: isLoaded() }))`
  const args = ['--input-type=module', '-e', script]
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
  t.strictSame(JSON.parse(printed), { before: false, after: true })
})
