import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from './app.ts'

const BASE_URL = 'https://www.example.org'

test('the users of the service use the API with its sessions, beside its tables', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  const { app, db } = await build(folder, BASE_URL)
  try {
    await db
      .insertInto('client')
      .values([
        { id: 'amina', email: 'amina@example.org', staff: 0 },
        { id: 'oscar', email: 'oscar@example.org', staff: 1 },
      ])
      .execute()
    await db
      .insertInto('session')
      .values([
        { secret: 'of-amina', client_id: 'amina' },
        { secret: 'of-oscar', client_id: 'oscar' },
      ])
      .execute()
    const as = (secret: string) => ({ cookie: `session=${secret}`, origin: BASE_URL })

    const post = {
      itemType: 'link',
      itemTitle: 'A well a week',
      itemDescription: 'The fifth well is open.',
      link: 'https://example.org/fifth',
    }
    const created = await app.inject({
      method: 'POST',
      url: '/charity/feed/',
      headers: as('of-amina'),
      payload: post,
    })
    assert.equal(created.statusCode, 200, created.body)
    const own = await app.inject({ url: '/charity/user/me/feed', headers: as('of-amina') })
    assert.equal(own.json().items.length, 1)

    // A donor's posts wait for a manager, who sees who wrote them.
    assert.equal(
      (await app.inject({ url: '/charity/feed/', headers: as('of-amina') })).json().items.length,
      0,
    )
    const waiting = await app.inject({ url: '/charity/feed/?include=author', headers: as('of-oscar') })
    assert.deepEqual(waiting.json().items[0].item.author, {
      clientId: 'host:amina',
      email: 'amina@example.org',
    })

    const elsewhere = { ...as('of-amina'), origin: 'https://evil.example' }
    const forged = await app.inject({
      method: 'POST',
      url: '/charity/feed/',
      headers: elsewhere,
      payload: post,
    })
    assert.equal(forged.json().code, 'cross_site')
    await db.deleteFrom('session').where('client_id', '=', 'amina').execute()
    assert.equal((await app.inject({ url: '/charity/feed/', headers: as('of-amina') })).statusCode, 401)
    assert.equal((await db.selectFrom('client').selectAll().execute()).length, 2)
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
})
