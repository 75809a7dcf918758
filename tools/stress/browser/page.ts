// What runs in the browser: the client against a service of another origin. The page's own server gives tokens and takes the findings.
import { ApiError, createClient, TokenError } from '../../../packages/client/src/index.ts'

const findings: Array<string> = []
let checks = 0
const holds = (about: string, is: boolean): void => {
  checks += 1
  if (!is) findings.push(about)
}
const refusal = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((cause: unknown) => cause)

const read = async (path: string) => (await fetch(path)).json()
const { baseUrl } = (await read('/service')) as { baseUrl: string }
const image = await (await fetch('/image.png')).blob()

let given = 0
const token = async () => {
  given += 1
  return (await read('/token')) as { access_token: string; expires_in: number }
}
const api = createClient({ baseUrl, token })

const PUBLICATION = {
  itemTitle: 'Seen in a browser',
  itemDescription: 'Written there too.',
  link: 'https://example.org/',
  itemPublicationDate: '2026-05-01',
}

const publish = async () => {
  const created = await api.post('/library/', { body: PUBLICATION })
  holds('API-Version can be read', created.headers.get('API-Version') === '1')
  holds('X-Request-Id can be read', created.headers.has('X-Request-Id'))
  const itemId = created.data.items[0]?.item.itemId ?? ''
  const path = { itemId }
  for (const which of ['cover', 'notification'] as const) {
    const answer = await api.upload('/library/{itemId}/media/{image}', {
      path: { itemId, image: which },
      file: image,
    })
    holds('an empty answer is undefined', answer.data === undefined)
  }
  const { data, etag } = await api.get('/library/{itemId}', { path })
  holds('ETag can be read', etag !== undefined && etag !== created.etag)
  holds('the images have addresses', data.items[0]?.item.coverImgUrl.startsWith(baseUrl) === true)
  const body = { ...PUBLICATION, status: 'Live' } as const
  const stale = await refusal(api.post('/library/{itemId}', { path, body, ifMatch: created.etag }))
  holds('a stale write is 412', stale instanceof ApiError && stale.code === 'precondition_failed')
  const live = await api.post('/library/{itemId}', { path, body, ifMatch: etag })
  holds('the item is Live', live.data.item.status === 'Live')
  const again = await api.get('/library/{itemId}', { path })
  holds('what the browser keeps is looked at again', again.etag === live.etag)
}

const walk = async () => {
  const titles: Array<string> = []
  for await (const { itemTitle } of api.walk('/library/', { query: { lim: 1 } })) titles.push(itemTitle)
  holds('Link leads from page to page', titles.length === 3)
  const controller = new AbortController()
  const given = api.get('/library/', { signal: controller.signal })
  controller.abort()
  const reason = await refusal(given)
  holds('a call can be given up', reason instanceof Error && reason.name === 'AbortError')
}

const refused = async () => {
  const bad = await refusal(api.post('/library/', { body: { ...PUBLICATION, itemTitle: '', link: 'x' } }))
  holds('every bad field is named', bad instanceof ApiError && bad.errors.length === 2)
  const credentials = { clientId: 'nobody', clientSecret: 'a guess' }
  const stranger = createClient({ baseUrl, credentials })
  for (let n = 0; n < 10; n += 1) {
    const reason = await refusal(stranger.get('/library/'))
    holds('a guess is refused', reason instanceof TokenError && reason.error === 'invalid_client')
  }
  const reason = await refusal(stranger.get('/library/'))
  holds('Retry-After can be read', reason instanceof TokenError && (reason.retryAfter ?? 0) > 30)
}

const revoked = async () => {
  await fetch('/revoke')
  const tokens = given
  await api.post('/library/', { body: PUBLICATION })
  holds('a revoked token is renewed, and the body sent again', given === tokens + 1)
}

try {
  await publish()
  await publish()
  await publish()
  await walk()
  await refused()
  await revoked()
  holds('one token served all but the last call', given === 2)
} catch (cause) {
  findings.push(String(cause))
}
await fetch('/findings', { method: 'POST', body: JSON.stringify({ checks, findings }) })
