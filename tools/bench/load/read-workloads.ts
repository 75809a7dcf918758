import { getting, PAGE, READS, type ReadName } from './reads.ts'
import type { Rig } from './rig.ts'
import type { Server } from './servers.ts'
import type { Side, Workload } from './workload.ts'

const BARE = 'bare Fastify, the same bytes'
const SQL = 'hand-written SQL server'
const OWN = 'its own first page'

const first = async (rig: Rig): Promise<string> => (await rig.itemIds())[0] ?? ''

/** A read of the service. */
const reading = async (rig: Rig, server: Server, name: ReadName): Promise<Side> => {
  const { path, caller } = READS[name]
  return { server, asks: [getting(path.replace('ITEM', await first(rig)), rig.ground.grants[caller])] }
}

/** The same bytes from the bare server. */
const bareReading = async (
  rig: Rig,
  name: ReadName,
  headers: Readonly<Record<string, string>> = {},
): Promise<Side> => {
  const { path, caller } = READS[name]
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : ''
  return { server: await rig.bare(), asks: [getting(`/${name}${query}`, rig.ground.grants[caller], headers)] }
}

const besideBare = (
  name: ReadName,
  { title, least }: { readonly title: string; readonly least?: number },
): Workload => ({
  name,
  title,
  beside: BARE,
  ...(least === undefined ? {} : { least }),
  paced: true,
  sides: async (rig) => ({
    ours: await reading(rig, await rig.service(), name),
    beside: await bareReading(rig, name),
  }),
})

const besideSql = (name: 'list' | 'language', title: string): Omit<Workload, 'name'> => ({
  title,
  beside: SQL,
  paced: true,
  sides: async (rig) => ({
    ours: await reading(rig, await rig.uncached(), name),
    beside: await reading(rig, await rig.sql(), name),
  }),
})

/** A page behind a rank, for a manager, who sees everything. */
const pageBehind = (rig: Rig, server: Server, rank: number): Side => ({
  server,
  asks: [getting(`/library/?lim=${PAGE}${rank === 0 ? '' : `&offset=${rank}`}`, rig.ground.grants.manager)],
})

const nineTenths = (items: number): number => Math.floor(items * 0.9)

/** Reads, each beside its counterpart. */
export const READ_WORKLOADS: ReadonlyArray<Workload> = [
  besideBare('list', { title: 'list, first page', least: 0.8 }),
  { ...besideSql('list', 'list, first page, cache off'), name: 'uncached', least: 1.5 },
  besideBare('language', { title: 'list of one language' }),
  { ...besideSql('language', 'list of one language, cache off'), name: 'language-uncached' },
  {
    name: 'rank',
    title: 'list, rank 9,000 of 10,000, cache off',
    beside: OWN,
    least: 0.8,
    paced: true,
    sides: async (rig) => {
      const server = await rig.uncached()
      const rank = nineTenths(rig.ground.size.items)
      return { ours: pageBehind(rig, server, rank), beside: pageBehind(rig, server, 0) }
    },
  },
  {
    name: 'rank-sql',
    title: 'list, rank 9,000 of 10,000, cache off',
    beside: `${SQL}, \`offset\``,
    sides: async (rig) => {
      const rank = nineTenths(rig.ground.size.items)
      return {
        ours: pageBehind(rig, await rig.uncached(), rank),
        beside: pageBehind(rig, await rig.sql(), rank),
      }
    },
  },
  {
    name: 'deep-rank',
    title: 'list, rank 900,000 of 1,000,000, cache off, 10 writes a second',
    beside: OWN,
    least: 0.5,
    sides: async (rig) => {
      const server = await rig.many()
      const [rank, writes] = [nineTenths(rig.ground.size.manyItems), 10]
      return {
        ours: { ...pageBehind(rig, server, rank), writes },
        beside: { ...pageBehind(rig, server, 0), writes },
      }
    },
  },
  besideBare('item', { title: 'one item', least: 0.8 }),
  {
    name: 'unchanged',
    title: 'one item, 304',
    beside: 'bare Fastify, 304',
    least: 0.9,
    status: 304,
    paced: true,
    sides: async (rig) => {
      const headers = { 'if-none-match': await rig.etag() }
      const ours = await reading(rig, await rig.service(), 'item')
      return {
        ours: { ...ours, asks: ours.asks.map((ask) => ({ ...ask, headers })) },
        beside: await bareReading(rig, 'item', headers),
      }
    },
  },
  besideBare('portfolio', { title: 'portfolio, first page', least: 0.8 }),
  besideBare('search', { title: 'portfolio, search for two words', least: 0.8 }),
  besideBare('labels', { title: 'labels' }),
  {
    name: 'writes',
    title: 'list, first page, 50 writes a second',
    beside: `${BARE}, no writes`,
    least: 0.5,
    sides: async (rig) => ({
      ours: { ...(await reading(rig, await rig.service(), 'list')), writes: 50 },
      beside: await bareReading(rig, 'list'),
    }),
  },
]
