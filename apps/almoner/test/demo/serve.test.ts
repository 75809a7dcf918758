import { existsSync, readFileSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import demoFeed from '../../demo/feed.json' with { type: 'json' }
import demoLibrary from '../../demo/library.json' with { type: 'json' }
import demoPeople from '../../demo/people.json' with { type: 'json' }
import { almoner, serve, serveUntil } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { type Credentials, get, tokenOf } from '../support/client.ts'
import { ownFolder } from '../support/own-folder.ts'

const credentialsIn = (folder: string): ReadonlyArray<Credentials> =>
  JSON.parse(readFileSync(join(folder, 'data/demo-credentials.json'), 'utf8'))

const clientIn = (folder: string, id: string): Credentials => {
  const found = credentialsIn(folder).find(({ client_id }) => client_id === id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}

type Fields = Readonly<Record<string, string>>

interface Items {
  readonly items: ReadonlyArray<{ readonly item: Readonly<Record<string, string>> }>
}

const titlesAt = async (url: string, path: string, token: string): Promise<ReadonlyArray<string>> => {
  const { items } = (await (await get(`${url}${path}`, token)).json()) as Items
  return items.map(({ item }) => item['itemTitle'] ?? '')
}

/** Resolves when some images have been stored. */
const imagesIn = (folder: string, count: number): Promise<void> =>
  new Promise((resolve) => {
    const stored = new Set<string>()
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith('.jpg')) stored.add(name)
      if (stored.size < count) return
      watcher.close()
      resolve()
    })
  })

/** Loading the demonstration takes seconds: two tests look at the same. */
const folder = ownFolder()

t.test(
  'serve --demo prints the credentials once, with three curl lines; a second start changes nothing',
  async (t) => {
    const first = await serve(folder, ['--demo'])
    const { out } = first.said()
    const file = join(folder, 'data/demo-credentials.json')
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.ok(out.includes(file))
    for (const { client_id, client_secret } of credentialsIn(folder))
      t.match(out, new RegExp(`^ +${client_id} +${client_secret} `, 'm'))
    const manager = clientIn(folder, 'demo-manager')
    const curls = out.split('\n').filter((line) => line.includes('curl '))
    t.equal(curls.length, 3)
    t.ok(
      curls.every((line) => line.includes(`'${first.url}/`)),
      'with the real port',
    )
    t.ok(out.includes(`${first.url}/docs\n`), 'the next steps')
    t.ok(curls[0]?.includes(`-d client_id=demo-manager -d client_secret=${manager.client_secret} `))
    t.notOk(first.said().err.includes(manager.client_secret), 'no secret in the log')

    const { access_token } = await tokenOf(first.url, manager)
    const library = await titlesAt(first.url, '/library/', access_token)
    t.strictSame(library, demoLibrary.map(({ itemTitle }) => itemTitle).toReversed())
    const feed = await titlesAt(first.url, '/feed/', access_token)
    t.strictSame(feed, demoFeed.map(({ itemTitle }) => itemTitle).toReversed())
    t.equal((await first.stop()).code, 0)

    const second = await serve(folder, ['--demo'])
    t.notMatch(second.said().out, /CLIENT_ID|curl/)
    t.strictSame(await titlesAt(second.url, '/library/', access_token), library)
    t.strictSame(await titlesAt(second.url, '/feed/', access_token), feed)
    for (const client of credentialsIn(folder))
      t.ok((await tokenOf(second.url, client)).access_token, client.client_id)
    t.notMatch((await second.stop()).out, /CLIENT_ID|curl/)
  },
)

t.test('A3, F3, G7: each demo client sees what its role allows; images are served', async (t) => {
  const { url, stop } = await serve(folder, ['--demo'])
  const seen = async (id: string, path: string) =>
    titlesAt(url, path, (await tokenOf(url, clientIn(folder, id))).access_token)
  const live = [...demoLibrary].filter(({ status }) => status === 'Live')
  t.equal(
    (await seen('demo-user', '/library/')).length,
    live.filter(({ isDonorRestricted }) => !isDonorRestricted).length,
  )
  t.equal((await seen('demo-donor', '/library/')).length, live.length)
  t.equal((await seen('demo-users', '/library/')).length, live.length)
  t.equal((await seen('demo-manager', '/library/')).length, demoLibrary.length)

  const answered = async (id: string, path: string) =>
    (await get(`${url}${path}`, (await tokenOf(url, clientIn(folder, id))).access_token)).json()
  t.match(await answered('demo-user', '/portfolio/'), { portfolio: { organizations: 27 } })
  const { tokens } = (await answered('demo-donor', '/user/me/notification/token')) as {
    tokens: Array<unknown>
  }
  t.strictSame(
    tokens,
    demoPeople[0]?.devices.map((token) => ({
      token: { email: 'amina@example.org', device_token: token },
    })),
  )
  t.match(await answered('demo-users', '/user/ines@example.org/notification/preference'), {
    preference: { lang: 'fr', subscribed: true, topics: [] },
  })
  const { notifications } = (await answered('demo-manager', '/notification?lang=fr')) as {
    readonly notifications: ReadonlyArray<{ readonly notification: Readonly<Record<string, string>> }>
  }
  const [sent] = notifications.map(({ notification }) => notification)
  t.match(sent, { title: 'Le lac revient', visualUrl: new RegExp(`^${url}/static/media/`) })
  t.match(await answered('demo-manager', `/notification/${sent?.['id']}/delivery`), {
    delivery: { state: 'partial', recipients: 7, delivered: 6, failed: 1 },
  })

  const { access_token } = await tokenOf(url, clientIn(folder, 'demo-user'))
  const { items } = (await (await get(`${url}/library/?lim=1`, access_token)).json()) as Items
  const cover = await call(items[0]?.item['coverImgUrl'] ?? '')
  t.strictSame([cover.status, cover.headers.get('content-type')], [200, 'image/jpeg'])
  await stop()
})

t.test('a first start that is killed while it loads the demo is completed by the next', async (t) => {
  const folder = t.testdir({ data: { media: {} } })
  await serveUntil(folder, ['--demo'], imagesIn(join(folder, 'data/media'), 7))
  t.ok(existsSync(join(folder, 'data/almoner.db.seeding')))
  t.notOk(existsSync(join(folder, 'data/demo-credentials.json')))
  const { url, stop, said } = await serve(folder, ['--demo'])
  t.match(said().out, /^Demonstration clients, /)
  t.notOk(existsSync(join(folder, 'data/almoner.db.seeding')))
  const { access_token } = await tokenOf(url, clientIn(folder, 'demo-manager'))
  t.equal((await titlesAt(url, '/library/', access_token)).length, demoLibrary.length)
  t.equal((await titlesAt(url, '/feed/', access_token)).length, demoFeed.length)
  await stop()
})

t.test(
  'operations.md: the tour prints each request and answer, without secrets and tokens, and tidies up',
  async (t) => {
    const { url, stop } = await serve(folder, ['--demo'])
    const ALMONER_PORT = new URL(url).port
    const { code, out, err } = await almoner(folder, ['tour'], { ALMONER_PORT })
    t.strictSame([code, err], [0, ''])
    for (const part of [
      'GET /library/?lim=2',
      `Link: <${url}/library/?lim=2&after=`,
      '"state": "sent"',
      'itemUploadMedia=@',
    ])
      t.ok(out.includes(part), part)
    const program = await almoner(folder, ['tour', '--json'], { ALMONER_PORT })
    const { requests } = JSON.parse(program.out)
    t.ok(requests.length > 15)
    t.strictSame(
      requests
        .filter(({ status }: { readonly status: number }) => status !== 200)
        .map(({ request }: { readonly request: string }) => request.replace(/[^/]*$/, '')),
      ['POST /library/'],
      'one request is refused, to show how',
    )
    for (const text of [out, program.out]) {
      for (const { client_secret } of credentialsIn(folder)) t.notOk(text.includes(client_secret))
      const hidden = text.match(/(?:access_token"|client_secret"|Bearer|client_secret)[:= ]+"?./g)
      t.ok(
        hidden?.every((one) => one.endsWith('…')),
        String(hidden),
      )
    }

    const { access_token: donor } = await tokenOf(url, clientIn(folder, 'demo-donor'))
    t.notMatch(await (await get(`${url}/user/me/notification/token`, donor)).text(), /my-new-phone/)
    t.notOk((await titlesAt(url, '/library/', donor)).includes('Our year'), 'it is archived')

    // Warnings about settings are right: a demonstration sends nothing.
    const { findings } = JSON.parse((await almoner(folder, ['doctor', '--json'], { ALMONER_PORT })).out)
    t.strictSame(
      findings.filter(({ level, check }: Fields) => level !== 'ok' && check !== 'push' && check !== 'disk'),
      [],
      'doctor finds nothing to complain about in the content',
    )
    await stop()
  },
)

t.test('operations.md: a tour without demonstration, server or port is exit 1, and says why', async (t) => {
  const port = { ALMONER_PORT: '9' }
  const none = await almoner(t.testdir(), ['tour'], port)
  t.match(none, { code: 1, out: '', err: /demo-credentials\.json/ })
  t.match(none.err, /Start one with `npx -y pnpm@12 start`/)
  t.match(await almoner(folder, ['tour'], port), {
    code: 1,
    err: /no service answers at http:\/\/127\.0\.0\.1:9\n/,
  })
  t.match(await almoner(folder, ['tour'], { ALMONER_PORT: '0' }), { code: 1, err: /ALMONER_PORT=0/ })
  const { url, stop } = await serve(t.testdir())
  const refused = await almoner(folder, ['tour'], { ALMONER_PORT: new URL(url).port })
  t.match(refused, { code: 1, err: /POST \/oauth2\/get-token is answered by 401 instead of 200/ })
  await stop()
})

t.test('SIGTERM while the demo is loaded: exit 0 without listening', async (t) => {
  const folder = t.testdir({ data: { media: {} } })
  const { code, err } = await serveUntil(
    folder,
    ['--demo'],
    imagesIn(join(folder, 'data/media'), 2),
    'SIGTERM',
  )
  t.equal(code, 0)
  t.ok(existsSync(join(folder, 'data/almoner.db.seeding')), 'the next start continues')
  t.notMatch(err, /"msg":"listening"/)
  t.match(err, /"msg":"stopped"/)
})
