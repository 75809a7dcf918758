import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from '../cli/command.ts'
import { databasePath } from '../composition/database.ts'
import { rejectUnknownAddress } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import { failed, messageOf } from '../failure.ts'
import type { Credentials } from './client.ts'

/** The files that seeding keeps beside a database. */
export interface DemoFiles {
  /** Exists while a seeding is under way, and after one that was interrupted. Holds the id of its process. */
  readonly marker: string
  readonly credentials: string
}

export const demoFiles = (databaseFile: string): DemoFiles => ({
  marker: `${databaseFile}.seeding`,
  credentials: join(dirname(databaseFile), 'demo-credentials.json'),
})

/** Returns the files of the demonstration: beside the database, or in the working folder if a server has it. */
export const demonstrationFiles = (settings: Pick<Settings, 'database'>): DemoFiles =>
  demoFiles(databasePath(settings) ?? resolve('almoner-demo'))

type Fields = Readonly<Record<string, string>>

interface Step {
  /** What it shows, as a sentence for a person. */
  readonly title: string
  /** The client of the demonstration whose token is sent; none for the token itself. */
  readonly client?: string
  readonly method?: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly fields?: Fields
  /** An image to upload beside the fields. */
  readonly file?: Blob
  readonly status?: number
}

interface Visit {
  readonly title: string
  readonly request: string
  readonly client: string
  readonly fields: Fields
  readonly status: number
  readonly link: string
  /** The parsed body without tokens, or its text. */
  readonly answer: unknown
}

/** Members of requests and answers that are never printed. */
const SECRETS: ReadonlySet<string> = new Set(['client_secret', 'access_token'])

const HIDDEN = '…'

const withoutSecrets = (name: string, value: unknown): unknown => (SECRETS.has(name) ? HIDDEN : value)

const WIDEST = 72

const shortened = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > WIDEST ? `${value.slice(0, WIDEST)}${HIDDEN}` : value

const textOf = ({ title, request, client, fields, status, link, answer }: Visit): string => {
  const sent = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer, shortened, 2)
  const lines = [
    request,
    ...(client === '' ? [] : [`Authorization: Bearer ${HIDDEN}, the token of ${client}`]),
    ...sent,
    '',
    String(status),
    ...(link === '' ? [] : [`Link: ${link}`]),
    ...(body === '' ? [] : body.split('\n')),
  ]
  return `${title}\n\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`
}

const bodyOf = ({ fields, file }: Step): FormData | URLSearchParams | undefined => {
  if (file === undefined) return fields && new URLSearchParams(fields)
  const form = new FormData()
  form.set('itemUploadMedia', file, 'cover.jpg')
  return form
}

/** What a step resolves to: a parsed body, of which the walk reads members that the interface promises. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of a dozen answers would be longer than the walk
type Answer = any

type Ask = (step: Step) => Promise<Answer>

const SENDING = new Set(['scheduled', 'sending'])

/** Reads the delivery report until the notification has been sent, at most for 20 s: a service may be set not to review. */
const untilSent = async (report: () => Promise<Answer>): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (!SENDING.has((await report()).delivery.state)) return
    await wait(200)
  }
}

const walk = async (ask: Ask, quietly: Ask, imageAt: (url: string) => Promise<Blob>): Promise<void> => {
  const [reader, manager, donor] = ['demo-user', 'demo-manager', 'demo-donor']
  const texts = { itemTitle: 'Our year', itemDescription: 'Results and lessons.' }
  const publication = { ...texts, link: 'https://example.org/report.pdf' }
  const listed = await ask({
    title: 'List publications as an ordinary user. The header Link leads to the next page.',
    client: reader,
    path: '/library/?lim=2',
  })
  const created = await ask({
    title: 'Create a publication. It is a Draft.',
    client: manager,
    method: 'POST',
    path: '/library/',
    fields: { ...publication, itemPublicationDate: '2026-05-01' },
  })
  const item = `/library/${created.items[0].item.itemId}`
  await ask({ title: 'The ordinary user does not see a Draft.', client: reader, path: item })
  await ask({
    title: 'A Draft without images cannot be published: an error names every bad field.',
    client: manager,
    method: 'POST',
    path: item,
    fields: { ...publication, status: 'Live' },
    status: 400,
  })
  const file = await imageAt(listed.items[0].item.coverImgUrl)
  for (const image of ['cover', 'notification'])
    await ask({
      title: `Upload the ${image} image, borrowed from the first publication. The answer is empty.`,
      client: manager,
      method: 'POST',
      path: `${item}/media/${image}`,
      fields: { itemUploadMedia: '@cover.jpg' },
      file,
    })
  await ask({
    title: 'Publish it.',
    client: manager,
    method: 'POST',
    path: item,
    fields: { ...publication, status: 'Live' },
  })
  await ask({ title: 'Now the ordinary user sees it.', client: reader, path: item })
  await ask({
    title: 'Label it.',
    client: manager,
    method: 'POST',
    path: `${item}/label`,
    fields: { labelId: 'reports' },
  })
  const device = 'fcm:my-new-phone'
  await ask({
    title: 'Attach a device to a donor. The client is bound to a user, whom "me" stands for.',
    client: donor,
    method: 'POST',
    path: '/user/me/notification/token',
    fields: { device_token: device },
  })
  await ask({
    title: 'The donor reads English.',
    client: donor,
    method: 'PUT',
    path: '/user/me/notification/preference',
    fields: { lang: 'en' },
  })
  const { notification } = await ask({
    title: 'Schedule a notification about the publication, for now.',
    client: manager,
    method: 'POST',
    path: '/notification',
    fields: {
      lang: 'en',
      title: 'Our year is out',
      description: 'Read the report.',
      resource_type: 'Library',
      resource_id: created.items[0].item.itemId,
      date: String(Math.floor(Date.now() / 1000)),
    },
  })
  const report = { client: manager, path: `/notification/${notification.id}/delivery` }
  await untilSent(() => quietly({ ...report, title: 'Wait for the delivery report.' }))
  await ask({ ...report, title: 'Read its delivery report. The pushes are in the log of the server.' })
  await ask({
    title: 'Search the portfolio. Case and accents are ignored.',
    client: reader,
    path: '/portfolio/organization?name=ecole',
  })
  await ask({
    title: 'Tidy up: archive the publication, which hides it again.',
    client: manager,
    method: 'POST',
    path: item,
    fields: { ...publication, status: 'Archived' },
  })
  await ask({
    title: 'Detach the device.',
    client: donor,
    method: 'DELETE',
    path: `/user/me/notification/token/${encodeURIComponent(device)}`,
  })
}

const parsed = (text: string): Answer => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const readCredentials = async (file: string): Promise<ReadonlyMap<string, Credentials>> => {
  try {
    const clients: ReadonlyArray<Credentials> = JSON.parse(await readFile(file, 'utf8'))
    return new Map(clients.map((client) => [client.client_id, client]))
  } catch (error) {
    throw failed(
      `the tour needs a demonstration: ${messageOf(error)}`,
      'Start one with `npx -y pnpm@12 start` on an empty database, and run the tour in another terminal with the same settings.',
    )
  }
}

/**
 * `tour`: walks through the interface against a running demonstration (operations.md), and prints each request and answer. Reads the
 * secrets from `demo-credentials.json`, and prints neither them nor tokens. Leaves an archived publication and a notification.
 */
export const tour: Command = {
  usage: 'tour',
  summary: 'walk through the interface of a running demonstration, and print each request and answer',
  async run({ settings, service, terminal, asJson }) {
    rejectUnknownAddress(settings)
    const credentials = await readCredentials(demonstrationFiles(settings).credentials)
    const url = service.address.baseUrl()
    const visits: Array<Visit> = []
    const tokens = new Map<string, string>()
    const fetched = async (address: string, init: RequestInit = {}): Promise<Response> => {
      try {
        return await fetch(address, { ...init, signal: AbortSignal.timeout(30_000) })
      } catch {
        throw failed(`no service answers at ${url}`, 'Start the demonstration, and run the tour beside it.')
      }
    }

    const exchange = async (step: Step): Promise<readonly [Answer, Visit]> => {
      const { title, client = '', method = 'GET', path, fields = {}, status = 200 } = step
      const headers = client === '' ? {} : { authorization: `Bearer ${await tokenOf(client)}` }
      const body = bodyOf(step)
      const response = await fetched(`${url}${path}`, { method, headers, ...(body && { body }) })
      const text = await response.text()
      const visit: Visit = {
        title,
        request: `${method} ${path}`,
        client,
        fields: JSON.parse(JSON.stringify(fields), withoutSecrets),
        status: response.status,
        link: response.headers.get('link') ?? '',
        answer: parsed(text) === text ? text : JSON.parse(text, withoutSecrets),
      }
      if (response.status !== status)
        throw failed(
          `${visit.request} is answered by ${response.status} instead of ${status}: is this the service of these credentials?`,
        )
      return [parsed(text), visit]
    }
    const quietly: Ask = async (step) => (await exchange(step))[0]
    const ask: Ask = async (step) => {
      const [answer, visit] = await exchange(step)
      visits.push(visit)
      if (!asJson) await terminal.out(textOf(visit))
      return answer
    }
    const tokenOf = async (client: string): Promise<string> => {
      const known = tokens.get(client)
      if (known !== undefined) return known
      const { access_token: token } = await ask({
        title: `Get a token for the client ${client}.`,
        method: 'POST',
        path: '/oauth2/get-token',
        fields: {
          grant_type: 'client_credentials',
          client_id: client,
          client_secret: credentials.get(client)?.client_secret ?? '',
        },
      })
      tokens.set(client, token)
      return token
    }

    await walk(ask, quietly, async (image) => (await fetched(image)).blob())
    return asJson ? { text: '', json: { requests: visits } } : undefined
  },
}
