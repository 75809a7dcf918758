import { PNG } from '../../../adapters-http/test/support/uploads.ts'
import type { Random } from './random.ts'

/** One service, run by several processes, as the model test reaches it. */
export interface Nodes {
  /** The addresses of the processes, which share a database. */
  readonly urls: ReadonlyArray<string>
  readonly tokens: Readonly<Record<'user' | 'donor' | 'manager' | 'userManager', string>>
  /** Makes the labels these, in this order. */
  readonly loadLabels: (labels: ReadonlyArray<LoadedLabel>) => Promise<unknown>
  /** Replaces the portfolio by another one. */
  readonly loadPortfolio: (n: number) => Promise<unknown>
  /** Records another size of a stored image, as the job does that measures images (D9). */
  readonly findSize: (name: string, width: number) => Promise<unknown>
  /** Deletes a draft that was never Live, and resolves to what puts it back (C18). */
  readonly deleteDraft: (item: KnownItem) => Promise<() => Promise<unknown>>
  /** A clock that the test moves, under an embargo (C9); the processes have the system's clock without. */
  readonly days?: {
    readonly now: () => number
    /** Lets days pass, and carries out the schedules that have come due (C15). */
    readonly pass: (days: number) => Promise<unknown>
  }
}

/** A label as it is loaded (E1). */
export interface LoadedLabel {
  readonly labelId: string
  readonly en: string
  readonly fr: string
}

export type ItemKind = 'library' | 'feed'

/** The fate of an item, so that some can never be seen by some callers. */
const FATES = ['draft', 'restricted', 'free', 'free'] as const

/** An item that was created. */
export interface KnownItem {
  readonly kind: ItemKind
  readonly id: string
  readonly fate: (typeof FATES)[number]
}

/** All that the writers have done, as far as the readers have to know it. */
export interface World {
  readonly items: Array<KnownItem>
  /** Items for whose publication a writer has asked, and items that were public when they were created or by an update. */
  readonly everLive: Set<string>
  readonly everPublic: Set<string>
  /** Labels that a writer has attached, for others to detach. */
  readonly attached: Array<{ readonly item: KnownItem; readonly labelId: string }>
  /** The names of uploaded images. */
  readonly images: Array<string>
  readonly deleted: Array<{ readonly item: KnownItem; readonly putBack: () => Promise<unknown> }>
  /** How often a writer has replaced the portfolio by a different one. */
  portfolioLoads: number
  /** Acts on what was created. Every third one is of a kind whose turn it is, so that a short run has them all. */
  acts: number
  /** Answers of the writers, by act and status. */
  readonly statuses: Record<string, Record<string, number>>
  readonly findings: Array<string>
}

export const newWorld = (): World => ({
  items: [],
  everLive: new Set(),
  everPublic: new Set(),
  attached: [],
  images: [],
  deleted: [],
  portfolioLoads: 0,
  acts: 0,
  statuses: {},
  findings: [],
})

/** Items that exist at once: so few that most are changed often. */
const ITEMS = 24

/** Images whose sizes are found at a time. */
const LAST_IMAGES = 4

const LABELS: ReadonlyArray<string> = ['water', 'health', 'school', 'food', 'roofs']

/** Statuses of answers to acts that have come too late or do not fit the item. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 412, 415, 503])

/** Creates a writer at one of the nodes. Each call of `act` does one thing at random. */
export const makeWriter = (nodes: Nodes, url: string, world: World, random: Random) => {
  const send = async (
    act: string,
    method: string,
    path: string,
    body?: object,
    as: keyof Nodes['tokens'] = 'manager',
  ): Promise<unknown> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${nodes.tokens[as]}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    world.statuses[act] ??= {}
    const counts = world.statuses[act]
    counts[status] = (counts[status] ?? 0) + 1
    if (status !== 200 && !REFUSED.has(status)) world.findings.push(`${act}: ${status} ${text}`)
    return status === 200 && text !== '' ? JSON.parse(text) : undefined
  }

  const text = () => `Text ${random.below(1000)}`

  const fieldsOf = (kind: ItemKind) => ({
    itemTitle: text(),
    itemDescription: text(),
    link: 'https://example.org/',
    ...(kind === 'feed'
      ? { itemType: 'link' }
      : {
          itemPublicationDate: `2026-0${1 + random.below(9)}-15`,
          coverImgUrl: 'https://example.org/cover.jpg',
          notificationImgUrl: 'https://example.org/notification.jpg',
        }),
  })

  const create = async () => {
    const kind = random.pick(['library', 'feed'] as const)
    const fate = random.pick(FATES)
    const isDonorRestricted = fate === 'restricted' || random.below(4) === 0
    const fields = { ...fieldsOf(kind), lang: random.pick(['en', 'fr']), isDonorRestricted }
    // Posts of a donor have an author, whose erasure changes them.
    const as = kind === 'feed' && random.below(2) === 0 ? 'donor' : 'manager'
    const answer = (await send('create', 'POST', `/${kind}/`, fields, as)) as {
      readonly items?: ReadonlyArray<{ readonly item: { readonly itemId: string } }>
      readonly item?: { readonly itemId: string }
    }
    const id = answer?.items?.[0]?.item.itemId ?? answer?.item?.itemId
    if (id === undefined) return
    if (!isDonorRestricted) world.everPublic.add(id)
    world.items.push({ kind, id, fate })
  }

  const update = async ({ kind, id, fate }: KnownItem) => {
    const status =
      fate === 'draft' ? 'Draft' : random.pick(['Live', 'Live', 'Live', 'Draft', 'Archived'] as const)
    const isDonorRestricted = fate === 'restricted' || random.below(3) === 0
    const isNamed = random.below(2) === 0
    if (status === 'Live') world.everLive.add(id)
    if (isNamed && !isDonorRestricted) world.everPublic.add(id)
    const lang = random.below(4) === 0 ? { lang: random.pick(['en', 'fr']) } : {}
    await send(`update ${status}`, 'POST', `/${kind}/${id}`, {
      ...fieldsOf(kind),
      status,
      ...lang,
      ...(isNamed && { isDonorRestricted }),
    })
  }

  const schedule = async ({ kind, id, fate }: KnownItem) => {
    const now = Math.floor((nodes.days?.now() ?? Date.now()) / 1000)
    if (fate !== 'draft') world.everLive.add(id)
    const moments =
      fate === 'draft'
        ? { archiveAt: now }
        : { publishAt: now - 1, ...(random.below(2) === 0 && { archiveAt: now }) }
    await send('schedule', 'POST', `/${kind}/${id}`, { ...fieldsOf(kind), status: 'Draft', ...moments })
  }

  const upload = async ({ kind, id }: KnownItem) => {
    const form = new FormData()
    form.append('itemUploadMedia', new File([Buffer.from(PNG)], 'a.png', { type: 'image/png' }))
    const path = kind === 'feed' ? 'media' : `media/${random.pick(['cover', 'notification'])}`
    const answer = await send('upload', 'POST', `/${kind}/${id}/${path}`, form)
    const name = typeof answer === 'string' ? answer.split('/').at(-1) : undefined
    if (name !== undefined) world.images.push(name)
  }

  /** Finds the sizes of the last images, most of which items still show. */
  const findSize = async () => {
    // Only the answer of a post names its image (D3).
    const posts = world.items.filter(({ kind }) => kind === 'feed')
    for (const post of random.shuffled(posts).slice(0, 1)) await upload(post)
    for (const name of world.images.slice(-LAST_IMAGES))
      await attempt('find size', () => nodes.findSize(name, 1 + random.below(1000)))
  }

  const deleteDraft = async () => {
    const drafts = world.items.filter(({ id }) => !world.everLive.has(id))
    for (const item of random.shuffled(drafts).slice(0, 1))
      await attempt('delete draft', async () => {
        const putBack = await nodes.deleteDraft(item)
        world.items.splice(world.items.indexOf(item), 1)
        world.deleted.push({ item, putBack })
      })
  }

  const putBack = async () => {
    if (world.deleted.length === 0) await deleteDraft()
    const last = world.deleted.pop()
    if (last === undefined) return
    await attempt('put back', async () => {
      await last.putBack()
      world.items.push(last.item)
    })
  }

  const passDays = async () => {
    const { days } = nodes
    if (days !== undefined) await attempt('pass days', () => days.pass(1 + random.below(30)))
  }

  const removeImage = ({ kind, id }: KnownItem) =>
    send('remove image', 'DELETE', `/${kind}/${id}/media/${kind === 'feed' ? '' : 'cover'}`)

  const attach = async (item: KnownItem) => {
    const labelId = random.pick(LABELS)
    await send('attach', 'POST', `/${item.kind}/${item.id}/label`, { labelId })
    world.attached.push({ item, labelId })
  }

  const detach = async () => {
    const [one] = world.attached.splice(random.below(world.attached.length + 1), 1)
    if (one === undefined) return
    await send('detach', 'DELETE', `/${one.item.kind}/${one.item.id}/label/${one.labelId}`)
  }

  const restore = ({ kind, id }: KnownItem) =>
    send('restore', 'POST', `/${kind}/${id}/history/${1 + random.below(8)}/restore`, {})

  const erase = async () => {
    const path = `/user/${random.pick(['amina', 'bashir', 'chantal'])}@example.org`
    const preference = { lang: 'fr', subscribed: true }
    await send('prefer', 'PUT', `${path}/notification/preference`, preference, 'userManager')
    await send('erase', 'DELETE', path, undefined, 'userManager')
  }

  const loadLabels = async () => {
    const some = random.shuffled(LABELS.slice(0, 3 + random.below(LABELS.length - 2)))
    // A label that is attached cannot be removed, so the load fails by chance.
    const loaded = some.map((labelId) => ({ labelId, en: `${labelId} ${random.below(3)}`, fr: labelId }))
    await attempt('load labels', () => nodes.loadLabels(loaded))
  }

  const loadPortfolio = async () => {
    // A load that equals the present portfolio changes nothing, so that it brings no reload.
    await nodes.loadPortfolio(world.portfolioLoads)
    world.portfolioLoads += 1
    count('load portfolio', 'done')
  }

  const count = (act: string, outcome: string): void => {
    world.statuses[act] ??= {}
    const counts = world.statuses[act]
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }

  /** Does something that the state of the service may rule out. */
  const attempt = (act: string, work: () => Promise<unknown>): Promise<void> =>
    work().then(
      () => count(act, 'done'),
      () => count(act, 'refused'),
    )

  const onItems: ReadonlyArray<readonly [weight: number, act: (item: KnownItem) => Promise<unknown>]> = [
    [12, update],
    [2, schedule],
    [2, upload],
    [1, removeImage],
    [3, attach],
    [2, detach],
    [3, restore],
  ]
  const others = [findSize, deleteDraft, passDays, deleteDraft, erase, putBack, loadLabels, loadPortfolio]

  return {
    act: async (): Promise<void> => {
      if (world.items.length < ITEMS && random.below(ITEMS) >= world.items.length - 10) return create()
      world.acts += 1
      const other = world.acts % 3 === 0 ? others[(world.acts / 3) % others.length] : undefined
      if (other !== undefined) await other()
      else await random.weighted(onItems)(random.pick(world.items))
    },
  }
}
