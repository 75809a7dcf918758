import {
  type Client,
  type CopyEntry,
  type CopyKind,
  type CopyPosition,
  createClient,
  createSync,
  type FeedItem,
  type LibraryItem,
  memoryStore,
  type Schemas,
  type Sync,
  type SyncStore,
} from '@almoner/client'

// The data layer: no module of React Native, so that it is tested in Node.

/** A file that holds one text. */
export interface TextFile {
  /** Returns the text; undefined if there is none. */
  readonly read: () => Promise<string | undefined>
  readonly write: (text: string) => Promise<void>
}

const KINDS: ReadonlyArray<CopyKind> = ['library', 'feed', 'label']

interface Saved {
  readonly position: CopyPosition
  readonly entries: ReadonlyArray<CopyEntry>
}

const parsed = (text: string | undefined): Saved | undefined => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Saved
  } catch {
    // The app was killed while it wrote: the copy is fetched again.
    return undefined
  }
}

/** Keeps a copy in memory and in a file, which is written after each answer. For some thousand items. */
export const textStore = (file: TextFile): SyncStore => {
  const memory = memoryStore()
  const load = async () => {
    const saved = parsed(await file.read())
    if (saved === undefined) return
    const { position, entries } = saved
    await memory.apply({ from: undefined, to: position, puts: entries, removes: [], sweeps: false })
  }
  let loading: Promise<void> | undefined
  const loaded = async () => {
    loading ??= load()
    await loading
    return memory
  }
  const save = async (position: CopyPosition) => {
    const entries: Array<CopyEntry> = []
    for (const kind of KINDS)
      await memory.scan(kind, (entry) => {
        entries.push(entry)
        return true
      })
    await file.write(JSON.stringify({ position, entries } satisfies Saved))
  }
  return {
    ...memory,
    position: async () => (await loaded()).position(),
    get: async (kind, id) => (await loaded()).get(kind, id),
    scan: async (kind, visit) => (await loaded()).scan(kind, visit),
    apply: async (step) => {
      const swept = await (await loaded()).apply(step)
      if (swept !== undefined) await save(step.to)
      return swept
    },
    clear: async () => {
      await (await loaded()).clear()
      await file.write('')
    },
  }
}

/** What the app needs to know of its place. */
export interface AppOptions {
  readonly baseUrl: string
  /** Returns an access token of the person who is signed in. */
  readonly token: (signal?: AbortSignal) => Promise<{ access_token: string; expires_in: number }>
  readonly file: TextFile
}

/** The data of the app. */
export interface AppData {
  readonly api: Client
  readonly copy: Sync
}

/** Opens the data of the person who is signed in. Give each person another file. */
export const openData = ({ baseUrl, token, file }: AppOptions): AppData => {
  const api = createClient({ baseUrl, token })
  return { api, copy: createSync({ client: api, store: textStore(file), include: ['images'] }) }
}

/** Returns the address of the image for a place of this width, in pixels of the device; undefined if there is none. */
export const imageFor = (image: Schemas['Image'] | null | undefined, width: number): string | undefined => {
  if (!image) return undefined
  const { url, renditions } = image
  return (renditions.find((one) => one.width >= width) ?? renditions.at(-1) ?? { url }).url
}

/** Returns the publication that a push is about: from the copy, else from the service; undefined if there is none. */
export const itemOfPush = async (
  { api, copy }: AppData,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<LibraryItem | undefined> => {
  const id = data?.['resourceType'] === 'Library' ? data['resourceId'] : undefined
  if (typeof id !== 'string' || id === '') return undefined
  const known = await copy.get('library', id)
  if (known !== undefined) return known
  const { data: found } = await api.get('/library/{itemId}', { path: { itemId: id } })
  return found.items[0]?.item
}

/** Tells the service where pushes for this person go. */
export const attachDevice = async (
  { api }: AppData,
  provider: 'fcm' | 'apns',
  token: string,
): Promise<void> => {
  await api.post('/user/{email}/notification/token', {
    path: { email: 'me' },
    body: { device_token: `${provider}:${token}` },
  })
}

/** Returns the newest notifications that were meant for this person. */
export const inboxOf = async ({ api }: AppData): Promise<ReadonlyArray<Schemas['InboxNotification']>> => {
  const { data } = await api.get('/user/{email}/notification/inbox', {
    path: { email: 'me' },
    query: { lim: 50 },
  })
  return data.notifications.map(({ notification }) => notification)
}

/** Marks a notification of the inbox as seen. */
export const markSeen = async ({ api }: AppData, id: string): Promise<void> => {
  await api.put('/user/{email}/notification/inbox/{id}/seen', { path: { email: 'me', id }, body: {} })
}

/** A post as a person writes it. */
export interface Draft {
  readonly title: string
  readonly text: string
  /** The photo, 400 wide and 560 high, and its description for people who do not see it. */
  readonly photo: Blob | Uint8Array
  readonly alt: string
}

/** Sends a post, which content managers see then, and returns it. */
export const sendPost = async ({ api }: AppData, { title, text, photo, alt }: Draft): Promise<FeedItem> => {
  const { data } = await api.post('/feed/', {
    body: { itemType: 'photo', itemTitle: title, itemDescription: text, imgAlt: alt },
  })
  await api.upload('/feed/{itemId}/media', { path: { itemId: data.item.itemId }, file: photo })
  return data.item
}
