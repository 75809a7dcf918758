import { type Canaries, coreOf } from './canaries.ts'
import type { Send } from './fixture.ts'
import { filled } from './samples.ts'

/** A request that carries canaries. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly send: Send
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

export const formData = (fields: Readonly<Record<string, string>>, file?: string): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file !== undefined)
    form.append('itemUploadMedia', new File([file], `${coreOf(file)}.png`), `${coreOf(file)}.png`)
  return form
}

/** Header fields that carry canaries. Their values hold no more than a field can. */
const loadedHeaders = ({ token, secret, email, text }: Canaries): Readonly<Record<string, string>> => ({
  cookie: `session=${token}; ${coreOf(text)}=1`,
  'user-agent': email,
  referer: `https://example.org/?access_token=${token}&mail=${encodeURIComponent(email)}`,
  'x-forwarded-for': coreOf(text),
  'x-request-id': secret,
  'x-api-key': secret,
  'if-match': `"${coreOf(text)}"`,
  'if-none-match': `W/"${coreOf(text)}"`,
  origin: `https://${coreOf(text).toLowerCase()}.example.org`,
  accept: `application/${coreOf(text)}`,
})

/** Ways to send data that must not be logged, with a valid token or none. */
export const waysOf = (
  canaries: Canaries,
  right: string,
  own: Readonly<Record<string, string>>,
): ReadonlyArray<Omit<Sent, 'method' | 'path'>> => {
  const { token, secret, email, device, text } = canaries
  const known = {
    itemTitle: text,
    lang: text,
    labelId: text,
    itemId: text,
    link: email,
    status: secret,
    after: text,
    lim: text,
    title: text,
    date: email,
    resource_id: text,
    device_token: device,
    subscribed: device,
  }
  const unknown = { password: secret, mail: email, [coreOf(text)]: text }
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
  const all = { ...own, ...known, ...unknown }
  const json = { 'content-type': 'application/json' }
  return [
    { send: { query: { ...all, access_token: token } } },
    { send: { query: { ...own, ...unknown, access_token: right } } },
    { send: { query: { access_token: right, client_secret: secret, email } } },
    { send: { headers: bearer(token), query: all } },
    { send: { headers: bearer(right), query: all } },
    { send: { headers: { ...loadedHeaders(canaries), ...bearer(right) } } },
    { send: { headers: { ...loadedHeaders(canaries), authorization: basic(email, secret) } } },
    { send: { headers: { authorization: `${token} ${secret}` } } },
    { send: { form: { ...all, access_token: token } } },
    { send: { form: { ...all, access_token: right } } },
    { send: { form: { ...own, ...unknown, access_token: right } } },
    { send: { json: { ...all, access_token: token } } },
    { send: { json: { ...all, access_token: right } } },
    { send: { json: { ...own, device_token: device, title: text, access_token: right } } },
    { send: { json: { ...own, ...unknown, access_token: right, deep: { [text]: [secret, email] } } } },
    {
      send: {
        json: { access_token: right, [text]: token, itemTitle: [text, text], lang: { [secret]: email } },
      },
    },
    { send: { headers: { ...json, ...bearer(right) }, body: `{"itemTitle":"${coreOf(text)}", ${token}` } },
    {
      send: { headers: { ...json, ...bearer(right) }, body: Buffer.from(`{"a":"${secret}\xFF"}`, 'latin1') },
    },
    { send: { headers: { ...bearer(right), 'content-type': `text/${coreOf(text)}` }, body: secret } },
    { send: { multipart: formData({ ...all, access_token: token }, text) } },
    { send: { multipart: formData({ ...all, access_token: right }, text) } },
    { send: { multipart: formData({ ...own, ...unknown, access_token: right }, secret) } },
    {
      send: {
        headers: { ...bearer(right), 'content-type': `multipart/form-data; boundary=${coreOf(text)}` },
        body: `--${coreOf(text)}\r\n${secret}`,
      },
    },
    { send: { headers: bearer(`${right} `), query: { access_token: right, lang: email } } },
  ]
}

/** Addresses of a route: as it should be, and with canaries where names belong. */
export const loadedPaths = (
  path: string,
  ids: Readonly<Record<string, string>>,
  { token, email, device, text }: Canaries,
): ReadonlyArray<string> => [
  filled(path, ids),
  filled(path, { ...ids, itemId: text, labelId: text, id: text, email: text, token: device }),
  filled(path, { ...ids, itemId: email, labelId: token, id: email, email, token: text }),
]
