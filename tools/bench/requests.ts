import sharp from 'sharp'
import type { Dataset, Grant } from './dataset.ts'
import type { Server } from './fixture.ts'
import type { Request } from './load.ts'

/** The items of a page. */
export const LIM = 20
/** The first page of the library. */
export const LIST = `/library/?lim=${LIM}`

/** Adds a token to a path. */
export const withToken = (path: string, { token }: Grant): string =>
  `${path}${path.includes('?') ? '&' : '?'}access_token=${token}`

/** Makes a request that posts JSON as the content manager. */
export const posting = ({ grants }: Dataset, path: string, body: object): Request => ({
  method: 'POST',
  path: withToken(path, grants.manager),
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

/** Makes the request that creates an item. */
export const creating = (dataset: Dataset): Request =>
  posting(dataset, '/library/', {
    itemTitle: 'What came of it',
    itemDescription: 'What was given, to whom, and what came of it. '.repeat(8),
    link: 'https://www.example.org/library/what-came-of-it',
    itemPublicationDate: '2024-06-01',
  })

const BOUNDARY = 'almoner-bench'

/** Makes the request that uploads an image of noise as the cover of a publication. */
export const uploading = async (dataset: Dataset, itemId: string): Promise<Request> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const create = { ...dataset.size.image, channels: 3, background: '#1F4E79', noise } as const
  const image = await sharp({ create }).jpeg({ quality: 80 }).toBuffer()
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="itemUploadMedia"; filename="cover.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
  return {
    ...posting(dataset, `/library/${itemId}/media/cover`, {}),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  }
}

/** Sends a request once. */
export const send = async ({ url }: Server, { method, path, headers = {}, body }: Request) => {
  const init = body === undefined ? {} : { body: new Uint8Array(body) }
  const response = await fetch(url + path, { method, headers, ...init })
  if (response.status !== 200) throw new Error(`${path} got ${response.status}: ${await response.text()}`)
  return response
}

interface Items {
  readonly items: ReadonlyArray<{ readonly item: { readonly itemId: string } }>
}

/** Makes the request for the first page. */
export const listing = ({ grants }: Dataset): Request => ({
  method: 'GET',
  path: withToken(LIST, grants.reader),
})

/** Reads the id of the newest item that every caller sees. */
export const newestItem = async (server: Server, dataset: Dataset): Promise<string> => {
  const { items } = (await (await send(server, listing(dataset))).json()) as Items
  return items[0]?.item.itemId ?? ''
}
