import t from 'tap'
import { create, itemIn, look, onServer } from '../support/items.ts'
import { BOUNDARY, fileNamed, formBytes, type RawPart } from '../support/multipart.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'
import { imagePath, PNG } from '../support/uploads.ts'

// Forms as the libraries of apps and backends write them, byte for byte except names and values (B1, B10, D1).

const TITLE = 'Puits à Bobo-Dioulasso — été'

/** How a library writes a text and a file, and the type of the whole. */
interface Client {
  readonly type?: string
  readonly text: (name: string) => ReadonlyArray<string>
  readonly file: ReadonlyArray<string>
  /** The bytes of the title; UTF-8 by default. */
  readonly title?: Uint8Array
  /** Writes the bytes of a part; as they are by default. */
  readonly encode?: (bytes: Uint8Array) => string | Uint8Array
}

const inBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\n')

const inQuotedPrintable = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
    .replaceAll(/.{75}/g, '$&=\r\n')

const length = (content: string | Uint8Array): string => `Content-Length: ${Buffer.from(content).byteLength}`

const CLIENTS: Readonly<Record<string, Client>> = {
  'browsers and Node': {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    text: (name) => [`Content-Disposition: form-data; name="${name}"`],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="été.png"',
      'Content-Type: image/png',
    ],
  },
  'curl with a type for each part': {
    text: (name) => [
      `Content-Disposition: form-data; name="${name}"`,
      'Content-Type: text/plain;charset=utf-8',
    ],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="a \\"b\\".png"',
      'Content-Type: application/octet-stream',
    ],
  },
  'curl with parts of application/json': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`, 'Content-Type: application/json'],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="a.json"',
      'Content-Type: application/json',
    ],
  },
  '.NET, without quotes': {
    type: `multipart/form-data; boundary="${BOUNDARY}"`,
    text: (name) => [
      'Content-Type: text/plain; charset=utf-8',
      `Content-Disposition: form-data; name=${name}`,
    ],
    file: [
      `Content-Disposition: form-data; name=itemUploadMedia; filename="=?utf-8?B?w6l0w6kucG5n?="; filename*=utf-8''%C3%A9t%C3%A9.png`,
    ],
  },
  '.NET with UTF-16': {
    type: `multipart/form-data; boundary="${BOUNDARY}"`,
    text: (name) => [
      `Content-Type: text/plain; charset=${name === 'itemTitle' ? 'utf-16' : 'utf-8'}`,
      `Content-Disposition: form-data; name="${name}"`,
    ],
    file: ['Content-Disposition: form-data; name="itemUploadMedia"; filename=a.png'],
    title: Buffer.from(TITLE, 'utf16le'),
  },
  'OkHttp and Retrofit': {
    text: (name) => [
      `content-disposition: form-data; name="${name}"`,
      'content-transfer-encoding: binary',
      'content-type: text/plain; charset=UTF-8',
      length(name === 'itemTitle' ? TITLE : 'x'),
    ],
    file: [
      'content-disposition: form-data; name="itemUploadMedia"; filename="a.png"',
      'content-transfer-encoding: binary',
      'content-type: image/*',
      length(PNG),
    ],
  },
  'Apache HttpClient, strict, with its default charset': {
    text: (name) => [
      `Content-Disposition: form-data; name="${name}"`,
      'Content-Type: text/plain; charset=ISO-8859-1',
      'Content-Transfer-Encoding: 8bit',
    ],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="a.png"',
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: binary',
    ],
    title: Buffer.from('Puits à Bobo-Dioulasso \x97 été', 'latin1'),
  },
  'Python requests': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`],
    file: [`Content-Disposition: form-data; name="itemUploadMedia"; filename*=utf-8''%C3%A9t%C3%A9.png`],
  },
  'Java and Spring': {
    type: `multipart/form-data;charset=UTF-8;boundary=${BOUNDARY}`,
    text: (name) => [
      `Content-Disposition: form-data; name="${name}"`,
      'Content-Type: text/plain;charset=UTF-8',
      length(name === 'itemTitle' ? TITLE : 'x'),
    ],
    file: [
      `Content-Disposition: form-data; name="itemUploadMedia"; filename*=UTF-8''%C3%A9t%C3%A9.png`,
      'Content-Type: image/png',
      length(PNG),
    ],
  },
  Akka: {
    type: `multipart/form-data; boundary=${BOUNDARY}; charset=UTF-8`,
    text: (name) => [
      'Content-Type: text/plain; charset=UTF-8',
      `Content-Disposition: form-data; name=${name}`,
    ],
    file: ['Content-Type: image/png', 'Content-Disposition: form-data; filename=a.png; name=itemUploadMedia'],
  },
  'URLSession with a form written by hand': {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    text: (name) => [`Content-Disposition:form-data; name="${name}"`],
    file: [
      'Content-Disposition:form-data; name="itemUploadMedia"; filename="image.jpg"',
      'Content-Type:image/jpg',
    ],
  },
  'Guzzle, with the bytes of a file': {
    text: (name) => [
      `Content-Disposition: form-data; name="${name}"`,
      length(name === 'itemTitle' ? TITLE : 'x'),
    ],
    file: ['Content-Disposition: form-data; name="itemUploadMedia"', length(PNG)],
  },
  'Go, form-data and Ruby, with the bytes of a file': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`],
    file: ['Content-Disposition: form-data; name="itemUploadMedia"'],
  },
  'Python requests and axios, with bytes and a type': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"',
      'Content-Type: application/octet-stream',
    ],
  },
  'aiohttp, which writes the type first': {
    text: (name) => [
      'Content-Type: text/plain; charset=utf-8',
      `Content-Disposition: form-data; name="${name}"`,
    ],
    file: [
      'Content-Type: application/octet-stream',
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="%C3%A9t%C3%A9%20%E2%80%9C1%E2%80%9D.png"',
    ],
  },
  'Faraday, whose file has the name of nothing': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`, 'Content-Type: application/json'],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename="local.path"',
      length(PNG),
      'Content-Type: image/png',
      'Content-Transfer-Encoding: binary',
    ],
  },
  'Python email, all in base64': {
    type: `multipart/form-data; boundary="${BOUNDARY}"`,
    text: (name) => [
      `Content-Type: text/plain; charset="${name === 'itemTitle' ? 'utf-16' : 'utf-8'}"`,
      'MIME-Version: 1.0',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: form-data; name="${name}"`,
    ],
    file: [
      'Content-Type: image/png',
      'MIME-Version: 1.0',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: form-data; name="itemUploadMedia"',
    ],
    title: Buffer.from(`\ufeff${TITLE}`, 'utf16le'),
    encode: inBase64,
  },
  'curl, all in quoted-printable': {
    text: (name) => [
      `Content-Disposition: form-data; name="${name}"`,
      'Content-Type: text/plain;charset=cp1252',
      'Content-Transfer-Encoding: quoted-printable',
    ],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"; filename=""',
      'Content-Type: image/png',
      'Content-Transfer-Encoding: quoted-printable',
    ],
    title: Buffer.from('Puits à Bobo-Dioulasso \x97 été', 'latin1'),
    encode: inQuotedPrintable,
  },
  'a part without a file name': {
    text: (name) => [`Content-Disposition: form-data; name="${name}"`],
    file: [
      'Content-Disposition: form-data; name="itemUploadMedia"',
      'Content-Type: text/plain; charset=utf-8',
    ],
  },
}

onServer(t, 'B10: forms of common clients give their parameters and files', async (t, fixture) => {
  const send = (client: Client, path: string, parts: ReadonlyArray<RawPart>) =>
    fixture.call('POST', path, {
      as: 'manager',
      headers: { 'content-type': client.type ?? `multipart/form-data; boundary=${BOUNDARY}` },
      body: formBytes(parts),
    })
  for (const [name, client] of Object.entries(CLIENTS)) {
    const { encode = (bytes: Uint8Array) => bytes, title } = client
    const texts = Object.entries({ ...LIBRARY_ITEM, itemTitle: TITLE }).map(
      ([field, value]): RawPart => [
        client.text(field),
        encode(field === 'itemTitle' && title !== undefined ? title : Buffer.from(value)),
      ],
    )
    const created = await itemIn(await send(client, '/library/', texts).then(firstOf))
    t.equal(created.itemTitle, TITLE, `${name}: the title`)
    const { itemId } = await create(fixture, 'feed')
    const answer = await send(client, imagePath('feed', itemId), [
      [client.text('unknown'), encode(Buffer.from('x'))],
      [[fileNamed('itemUploadMedia', ''), 'Content-Type: application/octet-stream'], ''],
      [client.file, encode(PNG)],
    ])
    t.equal(answer.status, 200, `${name}: the image`)
    t.not((await look(fixture, 'feed', itemId)).item.itemRelatedLink, '')
  }
})

/** A collection of one as its item (C1). */
const firstOf = async (answer: Response): Promise<Response> => {
  const { items = [], ...rest } = (await answer.json()) as { items?: ReadonlyArray<unknown> }
  return Response.json(items[0] ?? rest, { status: answer.status })
}
