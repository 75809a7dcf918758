import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, type Client, createClient } from '@almoner/client'
import t, { type Test } from 'tap'
import { PNG } from '../../../../packages/adapters-http/test/support/uploads.ts'
import { serve } from '../support/almoner.ts'
import type { Credentials } from '../support/client.ts'
import { command, writeFolder } from '../support/portfolio.ts'

// The README's tour, gone by the client, on a server as operators have it, whose tokens live for two seconds.

const LABELS = [{ labelId: 'reports', en: 'Reports', fr: 'Rapports' }]

const PUBLICATION = {
  itemTitle: 'Our year',
  itemDescription: 'What we did, and what it changed.',
  link: 'https://example.org/annual-report.pdf',
  itemPublicationDate: '2026-05-01',
}

/** Requests for tokens, by all clients of the test. */
let tokensAsked = 0

/** A client of a server, newly registered. */
const newClient = async (
  folder: string,
  baseUrl: string,
  ...args: ReadonlyArray<string>
): Promise<Client> => {
  const added: Credentials = JSON.parse((await command(folder, 'client', 'add', ...args)).out)
  const credentials = { clientId: added.client_id, clientSecret: added.client_secret }
  return createClient({
    baseUrl,
    credentials,
    fetch: (request) => {
      if (request.url.endsWith('/oauth2/get-token')) tokensAsked += 1
      return fetch(request)
    },
  })
}

const begin = async (t: Test) => {
  const folder = t.testdir()
  writeFileSync(join(folder, 'labels.json'), JSON.stringify(LABELS))
  await command(folder, 'labels', 'load', join(folder, 'labels.json'))
  await command(folder, 'portfolio', 'load', writeFolder(folder))
  const server = await serve(folder, [], { ALMONER_TOKEN_TTL: '2', ALMONER_REVIEW: 'off' })
  t.teardown(server.stop)
  const clientOf = (...args: ReadonlyArray<string>) => newClient(folder, server.url, ...args)
  return {
    folder,
    reader: await clientOf('--id', 'reader', '--scope', 'user'),
    manager: await clientOf('--id', 'manager', '--scope', 'content-manager'),
    donor: await clientOf('--id', 'donor', '--scope', 'user user-donor', '--email', 'amina@example.org'),
  }
}

const titlesSeenBy = async (client: Client): Promise<ReadonlyArray<string>> => {
  const titles: Array<string> = []
  for await (const { itemTitle } of client.walk('/library/', { query: { lim: 1 } })) titles.push(itemTitle)
  return titles
}

t.test(
  'the client library uses the whole interface, on a server whose tokens live for two seconds',
  async (t) => {
    const { folder, reader, manager, donor } = await begin(t)

    const created = await manager.post('/library/', { body: PUBLICATION })
    const itemId = created.data.items[0]?.item.itemId ?? ''
    await manager.post('/library/', { body: { ...PUBLICATION, itemTitle: 'Another' } })
    t.same(await titlesSeenBy(reader), [], 'Drafts are for managers')
    t.same(await titlesSeenBy(manager), ['Another', 'Our year'])

    const path = { itemId }
    for (const image of ['cover', 'notification'] as const)
      await manager.upload('/library/{itemId}/media/{image}', { path: { itemId, image }, file: PNG })
    const { data, etag } = await manager.get('/library/{itemId}', { path })
    const cover = await fetch(data.items[0]?.item.coverImgUrl ?? '')
    t.equal(cover.headers.get('Content-Type'), 'image/png')
    const body = { ...PUBLICATION, status: 'Live' } as const
    const early = manager.post('/library/{itemId}', { path, body, ifMatch: created.etag })
    t.match(await early.catch((cause: unknown) => cause), { status: 412, code: 'precondition_failed' })
    const published = await manager.post('/library/{itemId}', { path, body, ifMatch: etag })
    t.equal(published.data.item.status, 'Live')
    t.same(await titlesSeenBy(reader), ['Our year'])

    await manager.post('/library/{itemId}/label', { path, body: { labelId: 'reports' } })
    t.same((await reader.get('/library/{itemId}/label', { path })).data, [{ label: LABELS[0] }])
    const refused = reader.post('/library/{itemId}/label', { path, body: { labelId: 'reports' } })
    const reason = await refused.catch((cause: unknown) => cause)
    t.ok(reason instanceof ApiError)
    t.match(reason, { status: 403, code: 'insufficient_scope' })

    const me = { path: { email: 'me' } }
    await donor.post('/user/{email}/notification/token', {
      ...me,
      body: { device_token: 'fcm:my-new-phone' },
    })
    const preference = await donor.put('/user/{email}/notification/preference', {
      ...me,
      body: { lang: 'fr' },
    })
    t.same(preference.data, {
      preference: { email: 'amina@example.org', lang: 'fr', subscribed: true, topics: [] },
    })

    const note = await manager.post('/notification', {
      body: {
        lang: 'fr',
        title: 'Notre année',
        resource_type: 'Library',
        resource_id: itemId,
        date: '1700000000',
      },
    })
    const { id } = note.data.notification
    await command(folder, 'notification', 'review')
    const report = await manager.get('/notification/{id}/delivery', { path: { id } })
    t.match(report.data.delivery, { state: 'sent', recipients: 1, delivered: 1, failed: 0 })
    const notes: Array<string> = []
    for await (const { actionUrl } of manager.walk('/notification')) notes.push(actionUrl)
    t.same(notes, [PUBLICATION.link])

    const names: Array<string> = []
    for await (const { name } of reader.walk('/portfolio/organization/', { query: { lim: 1 } }))
      names.push(name)
    t.same(names, ['Organization acme', 'Organization zenith'])
    const programs: Array<string> = []
    for await (const { lang, programTitle } of reader.walk('/portfolio/organization/{id}/program', {
      path: { id: 'acme' },
    }))
      programs.push(`${lang} ${programTitle}`)
    t.same(programs, ['en Wells', 'fr Wells'])
    const datasets = await reader.get('/portfolio/organization/{id}/datasets', { path: { id: 'acme' } })
    t.match(datasets.data.datasets, [{ dataset: { year: 2016, budgetCurrency: 'EUR' } }])

    const before = tokensAsked
    while (tokensAsked === before) await reader.get('/library/', { query: { lim: 1 } })
    t.pass('A4: calls continued after the token expired')
    await reader.signOut()
    await reader.get('/library/')
    t.equal(tokensAsked, before + 2, 'A6: a revoked token is not used again')
  },
)
