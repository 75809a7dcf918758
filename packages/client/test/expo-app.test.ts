import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  attachDevice,
  imageFor,
  inboxOf,
  itemOfPush,
  openData,
  sendPost,
  type TextFile,
  textStore,
} from '../../../examples/expo-app/data.ts'
import { PICTURE } from '../../adapters-http/test/support/uploads.ts'
import type { CopyEntry, CopyPosition } from '../src/index.ts'
import { startService } from './support/service.ts'

const EXAMPLE = join(import.meta.dirname, '../../../examples/expo-app')

/** A file in memory. */
const memoryFile = (text?: string): TextFile & { readonly texts: ReadonlyArray<string> } => {
  const texts: Array<string> = text === undefined ? [] : [text]
  return {
    texts,
    read: async () => texts.at(-1),
    write: async (written) => {
      texts.push(written)
    },
  }
}

const POSITION: CopyPosition = {
  ...{ cursor: 'c1', pass: 1, isWalking: false, isComplete: true, portfolio: 0, labels: 1 },
}

const LABEL: CopyEntry = {
  ...{ kind: 'label', id: 'water', rank: '1', pass: 1 },
  value: { labelId: 'water', en: 'Water', fr: 'Eau' },
}

const STEP = { from: undefined, to: POSITION, puts: [LABEL], removes: [], sweeps: false }

t.test('examples/expo-app: the store of the app keeps a copy in a file', async (t) => {
  const file = memoryFile()
  const store = textStore(file)
  t.equal(await store.position(), undefined)
  t.strictSame(await store.apply(STEP), [])
  t.equal(await store.apply(STEP), undefined, 'a step from elsewhere has no effect')
  t.equal(file.texts.length, 1, 'and is not written')
  const later = textStore(memoryFile(file.texts.at(-1)))
  t.strictSame(await later.position(), POSITION, 'the next start has it')
  t.strictSame(await later.get('label', 'water'), LABEL)
  await store.clear()
  t.equal(await textStore(memoryFile(file.texts.at(-1))).position(), undefined, 'and none once it is cleared')
})

t.test('examples/expo-app: a file that was cut off begins the copy again', async (t) => {
  const whole = JSON.stringify({ position: POSITION, entries: [LABEL] })
  const store = textStore(memoryFile(whole.slice(0, -5)))
  t.equal(await store.position(), undefined)
  t.strictSame(await store.apply(STEP), [])
})

t.test('examples/expo-app: an image fits its place', async (t) => {
  const rendition = (width: number) => ({ url: `https://a.example/${width}`, width, height: width })
  const image = { url: 'https://a.example/original', alt: '', width: 800, height: 800 }
  const renditions = [160, 320, 640].map(rendition)
  t.equal(imageFor({ ...image, renditions }, 300), 'https://a.example/320')
  t.equal(imageFor({ ...image, renditions }, 5000), 'https://a.example/640')
  t.equal(imageFor({ ...image, renditions: [] }, 300), 'https://a.example/original')
  t.strictSame([imageFor(null, 1), imageFor(undefined, 1)], [undefined, undefined])
})

t.test(
  'examples/expo-app: a push opens its publication, a phone is attached, and a post is sent',
  async (t) => {
    const service = await startService(t, { store: 'sqlite' })
    const { clientId, clientSecret } = service.credentialsOf('donor')
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const token = async () =>
      (await service.fixture.call('POST', '/oauth2/get-token', { form })).json() as never
    const data = openData({ baseUrl: service.fixture.url, token, file: memoryFile() })
    const made = await service.as('manager').post('/library/', {
      body: {
        ...{ itemTitle: 'Wells', itemDescription: 'A year.', link: 'https://example.org/' },
        itemPublicationDate: '2026-05-01',
      },
    })
    const id = made.data.items[0]?.item.itemId ?? ''
    t.equal(
      await itemOfPush(data, { resourceType: 'Library', resourceId: id }),
      undefined,
      'a Draft is not shown',
    )
    t.equal(await itemOfPush(data, { resourceType: 'Library', resourceId: '' }), undefined)
    t.equal(await itemOfPush(data, undefined), undefined)

    await attachDevice(data, 'fcm', 'my-phone')
    const { data: tokens } = await data.api.get('/user/{email}/notification/token', { path: { email: 'me' } })
    t.match(tokens, { tokens: [{ token: { device_token: 'fcm:my-phone' } }] })
    t.strictSame(await inboxOf(data), [])

    const post = await sendPost(data, {
      title: 'The pump works',
      text: 'Since Monday.',
      alt: 'A pump.',
      photo: PICTURE,
    })
    t.match(post, { status: 'Draft', itemTitle: 'The pump works', itemType: 'photo' })
  },
)

t.test(
  'examples/expo-app: has at most 600 lines, and no module of React Native in its data layer',
  async (t) => {
    const files = ['App.tsx', 'data.ts', 'device.ts', 'index.ts', 'session.ts']
    const texts = files.map((file) => readFileSync(join(EXAMPLE, file), 'utf8'))
    t.ok(texts.join('').split('\n').length <= 600)
    t.notMatch(readFileSync(join(EXAMPLE, 'data.ts'), 'utf8'), /from '(?:expo|react)/)
    t.notMatch(readFileSync(join(EXAMPLE, 'pnpm-lock.yaml'), 'utf8'), /https?:\/\//, 'no host of a registry')
  },
)
