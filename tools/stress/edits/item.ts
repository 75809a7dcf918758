import { setTimeout as pause } from 'node:timers/promises'

/** A node as an editor uses it. */
export interface Node {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A collection with what its items need besides their text. */
export interface Shelf {
  readonly path: '/library/' | '/feed/'
  readonly fields: Readonly<Record<string, string>>
}

export const SHELVES: readonly [Shelf, Shelf] = [
  { path: '/library/', fields: { link: 'https://example.org/', itemPublicationDate: '2030-01-01' } },
  { path: '/feed/', fields: { itemType: 'photo' } },
]

/** An item as an editor has read it. */
export interface Version {
  readonly etag: string
  readonly text: string
}

/** What a write came to. */
export interface Written extends Version {
  readonly status: number
}

/** An item whose description is edited. */
export interface Item {
  read(node: Node): Promise<Version>
  /** Makes the description this, if the item is still that version. */
  write(node: Node, etag: string, text: string): Promise<Written>
}

interface Shown {
  readonly item: { readonly itemId: string; readonly itemDescription: string }
}

const firstOf = (answer: { readonly items: ReadonlyArray<Shown> } | Shown): Shown['item'] => {
  const shown = 'items' in answer ? answer.items[0] : answer
  if (shown === undefined) throw new Error('the item is not there')
  return shown.item
}

const post = ({ url, headers }: Node, path: string, body: object, etag?: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(etag === undefined ? {} : { 'if-match': etag }),
    },
    body: JSON.stringify(body),
  })

/** Creates an item with a description. */
export const createItem = async (node: Node, { path, fields }: Shelf, text: string): Promise<Item> => {
  const body = { ...fields, itemTitle: 'Edited by several', status: 'Draft' }
  const created = await post(node, path, { ...body, itemDescription: text })
  const { itemId } = firstOf((await created.json()) as Shown)
  const place = `${path}${itemId}`
  return {
    read: async ({ url, headers }) => {
      const answer = await fetch(`${url}${place}`, { headers })
      const { itemDescription } = firstOf((await answer.json()) as Shown)
      return { etag: answer.headers.get('etag') ?? '', text: itemDescription }
    },
    write: async (node, etag, text) => {
      const answer = await post(node, place, { ...body, itemDescription: text }, etag)
      const found = (await answer.json()) as Shown
      const { status } = answer
      return {
        status,
        etag: answer.headers.get('etag') ?? '',
        text: status === 200 ? firstOf(found).itemDescription : '',
      }
    },
  }
}

/** Milliseconds after which every node must show what was written. */
const VISIBLE = 2000

/** Reads until the text is this, as long as a node may be behind; gives what it is at last. */
export const textOnceItIs = async (item: Item, node: Node, text: string): Promise<string> => {
  const end = performance.now() + VISIBLE
  for (;;) {
    const found = await item.read(node)
    if (found.text === text || performance.now() > end) return found.text
    await pause(20)
  }
}
