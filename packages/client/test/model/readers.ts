import { isDeepStrictEqual } from 'node:util'
import { createClient, createSync, memoryStore, type Sync } from '../../src/index.ts'
import type { SentChange, SentChanges } from '../../src/sync/model.ts'
import type { Random } from './random.ts'
import type { ItemKind, Nodes, World } from './writers.ts'

type Scope = 'user' | 'donor' | 'manager'

const KINDS = ['library', 'feed', 'label', 'portfolio'] as const
const ITEM_KINDS: ReadonlyArray<ItemKind> = ['library', 'feed']

/** A caller with a copy, and how to compare it. */
export interface Reader {
  readonly name: string
  readonly copy: Sync
  /** Returns how the copy differs from the collections; undefined if it does not. */
  readonly difference: () => Promise<string | undefined>
}

/** Whether a caller of a scope may see an item that has this state, (A3). */
const maySee = (scope: Scope, { status, isDonorRestricted }: NonNullable<SentChange['item']>): boolean =>
  scope === 'manager' || (status === 'Live' && (scope === 'donor' || isDonorRestricted === '0'))

/** Whether the day of an item has come, on a service with an embargo (C9). */
const hasCome = ({ days }: Nodes, item: NonNullable<SentChange['item']>): boolean =>
  days === undefined ||
  !('itemPublicationDate' in item) ||
  item.itemPublicationDate <= new Date(days.now()).toISOString().slice(0, 10)

/** Whether a caller of a scope may ever have seen an item. */
const couldSee = (scope: Scope, id: string, { everLive, everPublic }: World): boolean =>
  scope === 'manager' || (everLive.has(id) && (scope === 'donor' || everPublic.has(id)))

/** Creates a reader with a scope, language, kinds, members and page size at random. Each of its requests goes to a node at random. */
export const makeReader = (nodes: Nodes, world: World, random: Random): Reader => {
  const scope = random.pick(['user', 'donor', 'manager'] as const)
  const lang = random.pick([undefined, undefined, 'en', 'fr'] as const)
  const kinds = random.below(2) === 0 ? undefined : KINDS.filter(() => random.below(3) > 0)
  const shown = kinds === undefined || kinds.length === 0 ? KINDS : kinds
  const include = (['labels', 'images'] as const).filter(() => random.below(2) === 0)
  const lim = random.pick([1, 2, 3, 7, 200])
  const name = `${scope} ${lang ?? ''} ${shown} ${include} ${lim}`

  const find = (fault: string, what: unknown) => {
    world.findings.push(`${name}: ${fault}: ${JSON.stringify(what)}`)
  }

  const checkItem = (change: SentChange, item: NonNullable<SentChange['item']>): void => {
    if (scope !== 'manager' && !hasCome(nodes, item)) find('an item before its day', change)
    if (!maySee(scope, item)) find('an item that the scope may not see', change)
    if (lang !== undefined && item.lang !== lang) find('an item of another language', change)
  }

  const checkChange = (change: SentChange): void => {
    const { kind, id = '', operation, item } = change
    if (!shown.some((one) => one === kind)) find('a kind that was not asked for', change)
    if (item !== undefined) checkItem(change, item)
    if (operation === 'remove' && kind !== 'label' && !couldSee(scope, id, world))
      find('an item that the scope never could see', change)
  }

  const checkAnswer = ({ changes }: SentChanges, link: string | null): void => {
    const keys = changes.map(({ change: { kind, id } }) => `${kind} ${id}`)
    if (new Set(keys).size !== keys.length) find('an object twice', keys)
    if (link === null ? changes.length > lim : changes.length !== lim) find('a wrong length', changes.length)
    for (const { change } of changes) checkChange(change)
  }

  /** Sends a request to any node, and checks its answer. */
  const send = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const response = await fetch(new Request(`${random.pick(nodes.urls)}${pathname}${search}`, request))
    if (response.status === 200 && pathname.startsWith('/changes'))
      checkAnswer((await response.clone().json()) as SentChanges, response.headers.get('Link'))
    return response
  }

  const client = createClient({
    baseUrl: 'http://any.example',
    token: async () => ({ access_token: nodes.tokens[scope] }),
    fetch: send,
  })
  const copy = createSync({ client, store: memoryStore(), lang, kinds, include, lim })
  let loadsSeen = world.portfolioLoads
  let reloadsSeen = 0

  const itemsOf = async (kind: ItemKind) => {
    if (!shown.includes(kind)) return []
    const members = include.length === 0 ? {} : { include: include.join() }
    const query = { ...(lang !== undefined && { lang }), ...members }
    const { data } = await client.get(`/${kind}/`, { query })
    return data.items.map(({ item }) => item)
  }

  const labels = async () =>
    shown.includes('label') ? (await client.get('/library/label')).data.map(({ label }) => label) : []

  /** Whether a load of the portfolio has been answered with a reload since the last comparison. */
  const isReloaded = async (): Promise<boolean> => {
    const { portfolio } = await copy.state()
    const isDue = world.portfolioLoads > loadsSeen && shown.includes('portfolio')
    if (isDue && portfolio === reloadsSeen) return false
    ;[loadsSeen, reloadsSeen] = [world.portfolioLoads, portfolio]
    return true
  }

  const difference = async (): Promise<string | undefined> => {
    for (const kind of ITEM_KINDS) {
      const [wanted, found] = [await itemsOf(kind), await copy.list(kind)]
      if (!isDeepStrictEqual(found, wanted)) return `${kind}: ${firstDifference(found, wanted)}`
    }
    const [wanted, found] = [await labels(), await copy.labels()]
    if (!isDeepStrictEqual(found, wanted)) return `labels: ${JSON.stringify([found, wanted])}`
    return (await isReloaded()) ? undefined : 'portfolio: no reload'
  }

  return { name, copy, difference }
}

type Item = { readonly itemId: string }

/** Returns where two lists of items part. */
const firstDifference = (found: ReadonlyArray<Item>, wanted: ReadonlyArray<Item>): string => {
  const at = Array.from({ length: Math.max(found.length, wanted.length) }).findIndex(
    (_, n) => !isDeepStrictEqual(found[n], wanted[n]),
  )
  const show = (list: ReadonlyArray<Item>) => JSON.stringify(list[at])
  return `${found.length} instead of ${wanted.length}; at ${at} ${show(found)} instead of ${show(wanted)}`
}
