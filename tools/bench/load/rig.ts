import { join } from 'node:path'
import type { FixedAnswer } from '../baseline/bare.ts'
import type { Ground } from './ground.ts'
import { type Generator, startGenerator } from './processes.ts'
import { READS, type ReadName, withToken } from './reads.ts'
import {
  ALONE,
  NO_CACHE,
  type Server,
  startBare,
  startGrants,
  startService,
  startSql,
  startUploads,
} from './servers.ts'

/** How long is measured, and how often. */
export interface Effort {
  /** Seconds of one run. */
  readonly seconds: number
  /** So many requests instead, where it only matters that there are any: by no more connections, and nothing is warmed up. */
  readonly requests?: number
  readonly rounds: number
  /** Milliseconds before latencies count. */
  readonly warming: number
  /** How often the service is started, and the milliseconds until it counts as idle. */
  readonly starts: number
  readonly settle: number
  /** Whether one service has to do for all workloads. */
  readonly sparing: boolean
  /** Whether to wait for the machine to be left alone, and to measure again what was disturbed. */
  readonly patient: boolean
}

/** Servers are started when a workload first asks for them, and stay: their code is compiled then. */
export interface Rig {
  readonly ground: Ground
  readonly effort: Effort
  readonly generator: Generator
  /** The service as it comes, on the small library; only reads, and what is written while they go on. */
  readonly service: () => Promise<Server>
  /** Its folder. */
  readonly folder: () => Promise<string>
  /** The same with every answer made anew. */
  readonly uncached: () => Promise<Server>
  /** That on the large library. */
  readonly many: () => Promise<Server>
  /** The service on a library of its own, that is written to. */
  readonly written: () => Promise<Server>
  /** Such a one that commits each write by itself. */
  readonly alone: () => Promise<Server>
  readonly bare: () => Promise<Server>
  readonly sql: () => Promise<Server>
  readonly grants: () => Promise<Server>
  readonly uploads: () => Promise<Server>
  /** The ids of a page of items that everybody sees, newest first. */
  readonly itemIds: () => Promise<ReadonlyArray<string>>
  /** The ETag of the first of them. */
  readonly etag: () => Promise<string>
  stop(): Promise<void>
}

const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

const answerTo = async ({ url }: Server, path: string): Promise<Response> => {
  const answer = await fetch(url + path)
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}: ${await answer.text()}`)
  return answer
}

const fixedAnswers = async (service: Server, ground: Ground, itemId: string) => {
  const fixed = async ([name, { path, caller }]: readonly [string, (typeof READS)[ReadName]]) => {
    const answer = await answerTo(service, withToken(path.replace('ITEM', itemId), ground.grants[caller]))
    return {
      path: `/${name}`,
      type: answer.headers.get('content-type') ?? '',
      body: Buffer.from(await answer.arrayBuffer()),
      etag: answer.headers.get('etag') ?? undefined,
    } satisfies FixedAnswer
  }
  return Promise.all(Object.entries(READS).map(fixed))
}

/** Makes a rig on a ground. */
export const makeRig = (ground: Ground, effort: Effort): Rig => {
  const generator = startGenerator()
  const running: Array<Server> = []
  const kept = (start: () => Promise<Server>) =>
    once(async () => {
      const server = await start()
      running.push(server)
      return server
    })
  const { size, grants, client } = ground
  const both = Object.values(grants)
  const small = once(() => ground.folder(size.items))
  const large = once(() => ground.folder(size.manyItems))
  const other = () => ground.folder(size.items)
  const service = kept(async () => startService(await small()))
  const apart = (folder: () => Promise<string>, settings = {}) =>
    effort.sparing ? service : kept(async () => startService(await folder(), settings))
  const itemIds = once(async () => {
    const answer = await answerTo(await service(), withToken(READS.list.path, grants.reader))
    const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { itemId: string } }> }
    return items.map(({ item }) => item.itemId)
  })
  const firstItem = async (): Promise<string> => (await itemIds())[0] ?? ''
  return {
    ground,
    effort,
    generator,
    service,
    folder: small,
    itemIds,
    uncached: apart(small, NO_CACHE),
    many: apart(large, NO_CACHE),
    written: apart(other),
    alone: apart(other, ALONE),
    bare: kept(async () => {
      const answers = await fixedAnswers(await service(), ground, await firstItem())
      return startBare({ grants: both, answers })
    }),
    sql: kept(async () => {
      const source = join(await small(), 'almoner.db')
      return startSql({ grants: both, source, file: join(ground.empty(), 'own.db') })
    }),
    grants: kept(() => startGrants(client)),
    uploads: kept(() => startUploads({ grants: both, folder: ground.empty() })),
    etag: async () => {
      const path = withToken(READS.item.path.replace('ITEM', await firstItem()), grants.reader)
      return (await answerTo(await service(), path)).headers.get('etag') ?? ''
    },
    stop: async () => {
      await generator.stop()
      for (const server of running) await server.stop()
    },
  }
}
