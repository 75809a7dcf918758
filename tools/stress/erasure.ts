// Twenty clients of ten people write through two servers everything they may, while the people are erased one after the other; each then comes
// back under a new address. Looks for addresses and device tokens of erased people: in the tables, in a new export, and on SQLite in the file
// and its log, also right after each erasure. Usage: node tools/stress/erasure.ts [--database postgres] [--erasures 500]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, ClientId, Email } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import sharp from 'sharp'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { nodeSecrets } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { check, findings, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { authorize, type Headers, runCommand, startServer } from './server.ts'

const given = options({ database: 'sqlite', erasures: 500 })
const [PEOPLE, CLIENTS, ERASERS] = [10, 20, 3]
/** Tokens that several people attach, so that they move from one to the other. */
const SHARED = 5
/** Milliseconds for which a client waits at most before its next request: the database grows with each, and an erasure may rewrite it. */
const THINKING = 200
/** How often an erasure is repeated whose file could not be cleaned because others were using it. */
const REPEATS = 5

const database = await newDatabase(given.database, folder)
const settings = { ...database.settings, ALMONER_LOG_LEVEL: 'error', ALMONER_CONSOLE: 'off' }
const file = join(folder, 'almoner.db')

const padded = (n: number, digits: number): string => String(n).padStart(digits, '0')
/** All have one length, so that none is a part of another. */
const addressOf = (person: number, life: number): Email =>
  `person-${padded(person, 2)}-${padded(life, 4)}@people.example` as Email
const tokenOf = (name: string): string => `fcm:{"device-${name}"}`

const lives = Array.from({ length: PEOPLE }, () => 0)
const engine = await database.open()
await migrate(engine)
const store = makeStore(engine)
const secrets = nodeSecrets()

/** Registers a client and returns the form with which it asks for a token. */
const addClient = async (id: string, email: O.Option<Email>, roles: Client['roles'] = []) => {
  const secret = secrets.mint()
  const scopes = ['user-donor'] as const
  const client: Client = { id: id as ClientId, name: id, scopes, roles, email, disabled: false }
  await done(store.clients.add(client, secrets.digest(secret)))
  return new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
}

const forms: Array<URLSearchParams> = []
while (forms.length < CLIENTS)
  forms.push(await addClient(`app-${padded(forms.length, 2)}`, O.some(addressOf(forms.length % PEOPLE, 0))))
const operator = await addClient('operator', O.none, ['user-manager'])
const servers = [await startServer(folder, settings), await startServer(folder, settings)] as const
const urlOf = (n: number): string => servers[n % 2 === 0 ? 0 : 1].url

const image = await sharp({ create: { width: 400, height: 560, channels: 3, background: '#1F4E79' } })
  .png()
  .toBuffer()

const statuses: Record<string, Record<string, number>> = {}
const count = (act: string, status: number): void => {
  statuses[act] ??= {}
  statuses[act][status] = (statuses[act][status] ?? 0) + 1
}

/** The tokens that the service has attached to an address. */
const attached = new Map<string, Set<string>>()
/** All tokens that were ever sent but the shared ones. */
const sent = new Set<string>()

let isOver = false

type Body = { readonly token?: { readonly email: string }; readonly item?: { readonly itemId: string } }
interface Sent {
  readonly method?: string
  readonly body?: object
  readonly key?: string
}

const typeOf = (body: object | undefined) =>
  body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }

/** A client: sends requests, of which 403 answers the ones sent while it is unbound, and 503 requests with too long a wait. */
const makeClient = (n: number, headers: Headers) => {
  const send = async (
    act: string,
    path: string,
    { method, body, key }: Sent,
    allowed: ReadonlyArray<number>,
  ): Promise<Body | undefined> => {
    const response = await fetch(`${urlOf(n)}${path}`, {
      method: method ?? 'POST',
      headers: { ...headers, ...(key && { 'idempotency-key': key }), ...typeOf(body) },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    count(act, response.status)
    if (![200, 403, 503, ...allowed].includes(response.status))
      findings.push(`${act}: ${response.status} ${text}`)
    return response.status === 200 ? JSON.parse(text || '{}') : undefined
  }

  const attach = async (token: string, key?: string): Promise<void> => {
    const body = { device_token: token }
    const answer = await send(
      key ? 'attach with key' : 'attach',
      '/user/me/notification/token',
      { body, ...(key && { key }) },
      [409, 422],
    )
    const email = answer?.token?.email
    if (email === undefined) return
    const tokens = attached.get(email) ?? new Set()
    attached.set(email, tokens.add(token))
  }

  const post = (key: string) =>
    send(
      'post',
      '/feed/',
      { key, body: { itemType: 'photo', itemTitle: `Post ${key}`, itemDescription: 'Of the campaign' } },
      [409],
    )

  const acts: ReadonlyArray<(step: number) => Promise<unknown>> = [
    async (step) => {
      const created = await post(`post ${step}`)
      await post(`post ${step}`)
      const form = new FormData()
      form.append('itemUploadMedia', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'a.png')
      if (created?.item !== undefined && step % 5 === 0)
        await send('upload', `/feed/${created.item.itemId}/media`, { body: form }, [404])
    },
    async (step) => {
      const token = tokenOf(`${padded(n, 2)}-${padded(step, 6)}`)
      sent.add(token)
      await attach(token)
      if (step % 2 === 0)
        await send(
          'detach',
          `/user/me/notification/token/${encodeURIComponent(token)}`,
          { method: 'DELETE' },
          [404],
        )
    },
    async (step) => {
      const token = tokenOf(`${padded(n, 2)}-${padded(step, 6)}`)
      sent.add(token)
      await attach(token, `attach ${step}`)
      await attach(token, `attach ${step}`)
    },
    (step) => attach(tokenOf(`shared-${step % SHARED}`), `shared ${step}`),
    (step) =>
      send(
        'preference',
        '/user/me/notification/preference',
        { method: 'PUT', body: { lang: step % 2 === 0 ? 'en' : 'fr', subscribed: step % 3 === 0 } },
        [],
      ),
  ]

  return async (): Promise<void> => {
    for (let step = 0; !isOver; step += 1) {
      await acts[Math.floor(Math.random() * acts.length)]?.(step)
      await pause(Math.random() * THINKING)
    }
  }
}

const filesHold = (texts: Iterable<string>): ReadonlyArray<string> => {
  const all = [file, `${file}-wal`].map((path) => readFileSync(path))
  return [...texts].filter((text) => all.some((bytes) => bytes.includes(text)))
}

for (const { ended, lastLines } of servers)
  void ended.then((code) => {
    if (!isOver) process.stderr.write(`\na server has ended with ${code}: ${lastLines()}\n`)
  })

const operatorHeaders = await authorize(servers[0].url, operator)
const erasing = { erasures: 0, repeated: 0, longest: 0 }

/** Erases a person by HTTP, again if the file could not be cleaned. Then nothing is left: the second answer is 404. */
const erase = async (n: number, email: string): Promise<void> => {
  const start = performance.now()
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${urlOf(n)}/user/${email}`, { method: 'DELETE', headers: operatorHeaders })
    const text = await response.text()
    count('erase', response.status)
    if (response.status === 200 || (tries > 0 && response.status === 404)) break
    check(response.status === 503 && tries < REPEATS, `erase: ${response.status} ${text}`)
    if (response.status !== 503 || tries >= REPEATS) break
    erasing.repeated += 1
  }
  erasing.longest = Math.max(erasing.longest, Math.round(performance.now() - start))
}

/** Binds the clients of a person to the address of the next life. */
const bindAgain = (person: number, email: Email) =>
  done(
    engine.write(async (db) => {
      const ids = forms.flatMap((form, n) =>
        n % PEOPLE === person ? [form.get('client_id') as ClientId] : [],
      )
      await db
        .updateTable('client')
        .set({ email })
        .where('id', 'in', ids)
        .where('email', 'is', null)
        .execute()
      return { _tag: 'Right', right: undefined }
    }),
  )

const eraseInTurn = async (eraser: number): Promise<void> => {
  for (let person = eraser; erasing.erasures < given.erasures; person = (person + ERASERS) % PEOPLE) {
    const life = lives[person] ?? 0
    if (isBusy.has(person)) continue
    isBusy.add(person)
    erasing.erasures += 1
    const email = addressOf(person, life)
    await erase(erasing.erasures, email)
    if (given.database !== 'postgres')
      for (const text of filesHold(
        [email, ...(attached.get(email) ?? [])].filter((one) => !one.includes('shared')),
      ))
        findings.push(`${text} is in the files after the erasure of ${email}`)
    lives[person] = life + 1
    await bindAgain(person, addressOf(person, life + 1))
    isBusy.delete(person)
    if (erasing.erasures % 10 === 0) progress(`${erasing.erasures} erasures`)
    await pause(Math.random() * 50)
  }
}
const isBusy = new Set<number>()

const clients = await Promise.all(
  forms.map(async (form, n) => makeClient(n, await authorize(urlOf(n), form))),
)
const working = Promise.all(clients.map((work) => work()))
await Promise.all(Array.from({ length: ERASERS }, (_, n) => eraseInTurn(n)))
isOver = true
await working

const erased = lives.flatMap((life, person) => Array.from({ length: life }, (_, n) => addressOf(person, n)))
const living = lives.map((life, person) => addressOf(person, life))
const kept = new Set(living.flatMap((email) => [...(attached.get(email) ?? [])]))
const gone = [...erased, ...[...sent].filter((token) => !kept.has(token))]
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const search = (where: string, content: string | Buffer): void => {
  for (const text of gone)
    if (content.includes(text) || content.includes(inJson(text))) findings.push(`${text} is in ${where}`)
}

const tables = await done(
  engine.read(async (db) => {
    const texts: Array<string> = []
    for (const { name } of await db.introspection.getTables()) {
      const rows = await db
        .selectFrom(name as 'person')
        .selectAll()
        .execute()
      texts.push(...rows.map((row) => Object.values(row).join('\n')))
    }
    return texts.join('\n')
  }),
)
search('the tables', tables)
for (const email of living) check(tables.includes(email), `${email} is not there, and was not erased`)
const archive = join(folder, 'export.tar')
runCommand(folder, settings, 'export', archive)
search('a new export', readFileSync(archive))
if (given.database !== 'postgres') for (const path of [file, `${file}-wal`]) search(path, readFileSync(path))
const deadlocks = await database.cluster?.ask('select sum(deadlocks)::int as deadlocks from pg_stat_database')
await engine.close()
for (const server of servers) await server.stop()
await database.stop()
const requests = Object.values(statuses)
  .flatMap(Object.values)
  .reduce((sum: number, n) => sum + Number(n), 0)
report({ ...given, ...erasing, requests, ...deadlocks?.[0], searched: gone.length, statuses })
