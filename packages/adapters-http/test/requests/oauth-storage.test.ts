import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { nodeSecrets } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import type { ClientId } from '@almoner/domain'
import { makeAuthenticate, makeRotateSecret, type TokenDigest } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { CLIENTS, done, startFixture, type Who } from '../support/fixture.ts'

const WHO = Object.keys(CLIENTS) as ReadonlyArray<Who>

/** Every form in which a text might have been written down without meaning to hide it. */
const formsOf = (text: string): ReadonlyArray<string> => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('base64url'),
  Buffer.from(text).toString('hex'),
  Buffer.from(text, 'utf16le').toString('latin1'),
]

t.test('A6: client secrets and tokens are stored as SHA-256 digests only', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'sqlite', realSecrets: true })
  t.teardown(fixture.stop)
  const tokens = await Promise.all(WHO.map((who) => fixture.token(who)))
  const rotated = await done(makeRotateSecret(fixture.ports)('donor' as ClientId, O.some(instant(9e12))))
  const secrets = [...WHO.map((who) => fixture.secrets[who] ?? ''), rotated.secret]
  t.ok(
    [...tokens, ...secrets].every((text) => text.length >= 43),
    '256 bits each',
  )
  t.equal(new Set([...tokens, ...secrets]).size, tokens.length + secrets.length)

  const files = readdirSync(fixture.folder).filter((name) => name.startsWith('almoner.db'))
  t.ok(files.includes('almoner.db-wal'), 'including the write-ahead log')
  const bytes = files.map((name) => readFileSync(join(fixture.folder, name), 'latin1')).join('')
  for (const text of [...tokens, ...secrets])
    for (const form of formsOf(text)) t.notOk(bytes.includes(form), 'is not in the database in any form')
  for (const text of [...tokens, ...secrets])
    t.ok(bytes.includes(createHash('sha256').update(text).digest('hex')), 'its digest is in the database')

  const used = await fixture.call('GET', '/library/', { as: 'user' })
  t.equal(used.status, 200, 'they are valid')
})

t.test('A6: tokens survive a restart', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'sqlite', realSecrets: true })
  const [kept, revoked] = [await fixture.token('user'), await fixture.token('donor')]
  const form = { client_id: 'donor', client_secret: fixture.secrets.donor ?? '', token: revoked }
  t.equal((await fixture.call('POST', '/oauth2/revoke', { form })).status, 200)
  const { clock } = fixture
  await fixture.stop()

  const engine = await done(openSqlite({ file: join(fixture.folder, 'almoner.db') }))
  t.teardown(() => engine.close())
  const authenticate = makeAuthenticate({ ...makeStore(engine), clock, secrets: nodeSecrets() })
  const caller = await done(authenticate(kept))
  t.same([caller.clientId, [...caller.scopes]], ['user', ['user']])
  t.ok(E.isLeft(await authenticate(revoked)()), 'a revoked one stays invalid')
  clock.advance(3_600_000)
  t.ok(E.isLeft(await authenticate(kept)()), 'and they still expire')
  const digest = createHash('sha256').update(kept).digest('hex') as TokenDigest
  t.ok(O.isNone(await done(makeStore(engine).accessTokens.grantOf(digest, clock.now()))))
})
