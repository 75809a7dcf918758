import type { Trial, Verdict } from './trial.ts'

/** A node, as those see it who hold a token. */
export interface Place {
  readonly url: string
}

type Headers = Readonly<Record<string, string>>

/** Where items are changed and where they are asked for, and with which tokens. */
export interface Stage {
  readonly changed: Place
  readonly asked: Place
  readonly manager: Headers
  readonly user: Headers
}

const post = async (url: string, headers: Headers, body: object): Promise<unknown> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const item = (title: string) => ({
  itemType: 'link',
  itemTitle: title,
  itemDescription: 'An item of the campaign.',
  link: 'https://example.org/',
})

/** Asks with GET; `of` says what the text of a 200 shows. */
const get = async (url: string, headers: Headers, of: (text: string) => Verdict): Promise<Verdict> => {
  try {
    const answer = await fetch(url, { headers })
    const text = await answer.text()
    if (answer.status === 304) return 'old'
    return answer.status === 200 ? of(text) : 'neither'
  } catch {
    return 'neither'
  }
}

/** Makes an item of a status; changes it by these parameters; and asks whether a user sees it, which is to be so afterwards or not. */
const makeVisibility =
  ({ changed, asked, manager, user }: Stage) =>
  async (before: string, parameters: Readonly<Record<string, string>>, after: boolean): Promise<Trial> => {
    const body = item('Seen or not')
    const created = await post(`${changed.url}/feed/`, manager, body)
    const { itemId } = (created as { item: { itemId: string } }).item
    const path = `/feed/${itemId}`
    if (before !== 'Draft') await post(`${changed.url}${path}`, manager, { ...body, status: before })
    const of = (text: string): Verdict => (text.includes(itemId) === after ? 'new' : 'old')
    return {
      asks: [path, '/feed/?lim=20'].map((one) => () => get(`${asked.url}${one}`, user, of)),
      enough: 5,
      change: async () => {
        await post(`${changed.url}${path}`, manager, { ...body, ...parameters })
      },
    }
  }

/** Edits a Live item; asks for it, in a page, by itself, and by itself if it is no longer what it was. */
const makeEdit = async ({ changed, asked, manager, user }: Stage): Promise<Trial> => {
  const body = { ...item('What was'), status: 'Live' }
  const created = await post(`${changed.url}/feed/`, manager, body)
  const { itemId } = (created as { item: { itemId: string } }).item
  const path = `/feed/${itemId}`
  await post(`${changed.url}${path}`, manager, body)
  const shown = await fetch(`${changed.url}${path}`, { headers: user })
  const etag = shown.headers.get('etag') ?? ''
  await shown.text()
  const title = `What is now, of ${itemId}`
  const of = (text: string): Verdict => (text.includes(title) ? 'new' : 'old')
  return {
    asks: [
      () => get(`${asked.url}${path}`, user, of),
      () => get(`${asked.url}/feed/?lim=20`, user, of),
      () => get(`${asked.url}${path}`, { ...user, 'if-none-match': etag }, of),
    ],
    enough: 5,
    change: async () => {
      await post(`${changed.url}${path}`, manager, { ...body, itemTitle: title })
    },
  }
}

/** Trials of what items show. */
export const itemTrials = (stage: Stage) => {
  const visibility = makeVisibility(stage)
  return {
    publish: () => visibility('Draft', { status: 'Live' }, true),
    archive: () => visibility('Live', { status: 'Archived' }, false),
    restrict: () => visibility('Live', { status: 'Live', isDonorRestricted: '1' }, false),
    edit: () => makeEdit(stage),
  }
}
