import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeAddClient } from '@almoner/domain/access'
import { done } from '@almoner/testkit/contracts'
import { build } from './app.ts'
import { OFFICE } from './charity.ts'

const BASE_URL = 'https://www.example.org'

/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
)

/** Runs a test on an application in a temporary folder. */
const withApp = async (use: (built: Awaited<ReturnType<typeof build>>) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'charity-'))
  const built = await build(folder, BASE_URL)
  try {
    await use(built)
  } finally {
    await built.app.close()
    await rm(folder, { recursive: true })
  }
}

test('the application has its own route next to those of the service', () =>
  withApp(async ({ app, almoner }) => {
    assert.deepEqual((await app.inject('/hello')).json(), { hello: 'world' })
    assert.equal((await app.inject('/charity/library/')).statusCode, 401)
    const metadata = (await app.inject('/.well-known/oauth-authorization-server/charity')).json()
    assert.equal(metadata.token_endpoint, `${BASE_URL}/charity/oauth2/get-token`)

    const { secret } = await done(makeAddClient(almoner.ports)(OFFICE))
    const token = await app.inject({
      method: 'POST',
      url: '/charity/oauth2/get-token',
      payload: { grant_type: 'client_credentials', client_id: OFFICE.id, client_secret: secret },
    })
    const headers = { authorization: `Bearer ${token.json().access_token}` }

    const created = await app.inject({
      method: 'POST',
      url: '/charity/library/',
      headers,
      payload: {
        itemTitle: 'Our year',
        itemDescription: 'What we did, and what it changed.',
        link: 'https://www.example.org/our-year.pdf',
        itemPublicationDate: '2026-05-01',
      },
    })
    const { itemId } = created.json().items[0].item
    const list = await app.inject({ url: '/charity/library', headers })
    assert.deepEqual(list.json(), created.json())

    const body = new FormData()
    body.append('file', new Blob([PIXEL], { type: 'image/png' }), 'cover.png')
    const upload = new Request(BASE_URL, { method: 'POST', body })
    const cover = await app.inject({
      method: 'POST',
      url: `/charity/library/${itemId}/media/cover`,
      headers: { ...headers, 'content-type': upload.headers.get('content-type') ?? '' },
      payload: Buffer.from(await upload.arrayBuffer()),
    })
    assert.equal(cover.statusCode, 200, cover.body)

    const [{ item }] = (await app.inject({ url: `/charity/library/${itemId}`, headers })).json().items
    assert.match(item.coverImgUrl, /^https:\/\/www\.example\.org\/charity\/static\/media\//)
    const served = await app.inject(new URL(item.coverImgUrl).pathname)
    assert.equal(served.statusCode, 200)
    assert.equal(served.headers['content-type'], 'image/png')
  }))
