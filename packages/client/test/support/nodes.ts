import { join } from 'node:path'
import { uuidIds } from '@almoner/adapters-node'
import { callerWith, type Ports } from '@almoner/domain'
import {
  makeDeleteFeedDraft,
  makeDeleteLibraryDraft,
  makeLoadLabels,
  makeRunSchedules,
  makeUndoFeedDeletion,
  makeUndoLibraryDeletion,
} from '@almoner/domain/content'
import type { MediaName } from '@almoner/domain/media'
import type { PortfolioContent } from '@almoner/domain/portfolio'
import type { Clock } from '@almoner/domain/ports'
import type { ItemId } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import { runningClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'tap'
import { BASE_URL, startFixture, startServer } from '../../../adapters-http/test/support/fixture.ts'
import { storeOn } from '../../../adapters-postgres/test/store-of.ts'
import { openStore } from '../../../adapters-sqlite/test/store-of.ts'
import type { LoadedLabel, Nodes } from '../model/writers.ts'

/** Opens the stores of a database beside those of a fixture. */
const openAnother = async (folder: string, url: string | undefined) =>
  url === undefined ? openStore(join(folder, 'almoner.db')) : storeOn(url)

/** The writes of the model test for which the API has no route, on a store. */
export const writesInto = (
  {
    labels,
    portfolio,
    knownImages,
    libraryItems,
    feedItems,
  }: Pick<Ports, 'labels' | 'portfolio' | 'knownImages' | 'libraryItems' | 'feedItems'>,
  clock: Clock = runningClock,
): Pick<Nodes, 'loadLabels' | 'loadPortfolio' | 'findSize' | 'deleteDraft'> => {
  const load = makeLoadLabels({ labels })
  const ports = { clock, ids: uuidIds(), libraryItems, feedItems }
  const deletion = {
    library: [makeDeleteLibraryDraft(ports), makeUndoLibraryDeletion(ports)],
    feed: [makeDeleteFeedDraft(ports), makeUndoFeedDeletion(ports)],
  } as const
  const caller = callerWith('content-manager')
  return {
    loadLabels: (some: ReadonlyArray<LoadedLabel>) => done(load(some)),
    loadPortfolio: async (n) => {
      const content: PortfolioContent = await done(portfolio.content())
      await done(portfolio.replace({ ...content, name: `Portfolio ${n}` }))
    },
    findSize: (name, width) => done(knownImages.recordSize(name as MediaName, O.some({ width, height: 1 }))),
    deleteDraft: async ({ kind, id }) => {
      const itemId = id as ItemId
      const [remove, undo] = deletion[kind]
      const { deletionId } = await done(remove(caller, { itemId }, O.none))
      return () => done<unknown, unknown>(undo(caller, { itemId, deletionId }))
    },
  }
}

/** A policy under which days change what readers see (C9), and tokens outlive them. */
const EMBARGO = { embargo: true, tokenTtl: 1_000_000_000 }

/** Starts three servers on one database, in this process, each with its own connections and caches. */
export const startNodes = async (t: Test, store: 'sqlite' | 'postgres', isEmbargoed = false) => {
  const folder = t.testdir()
  const policy = isEmbargoed ? EMBARGO : {}
  const fixture = await startFixture(folder, { store, policy, logLevel: 'error' })
  const { clock, ports } = fixture
  t.teardown(fixture.stop)
  const urls = [fixture.url]
  for (const _ of [1, 2]) {
    const { database, close, ...own } = await openAnother(folder, fixture.database)
    const versions = {
      version: database.version,
    }
    const media = { files: { open: async () => undefined } as never, folder: fixture.mediaFolder }
    const server = await startServer({ ...ports, ...own }, { media: media as never, versions }, () => {}, {
      policy,
      unwatched: true,
    })
    t.teardown(async () => {
      await server.app.close()
      await close()
    })
    urls.push(server.url)
  }
  const nodes: Nodes = {
    urls,
    tokens: {
      user: await fixture.token('user'),
      donor: await fixture.token('donor'),
      manager: await fixture.token('manager'),
      userManager: await fixture.token('userManager'),
    },
    ...writesInto(ports, clock),
    ...(isEmbargoed && {
      days: {
        now: clock.now,
        pass: (days) => {
          clock.advance(days * 86_400_000)
          return done(makeRunSchedules(ports)())
        },
      },
    }),
  }
  return { nodes, fixture, baseUrl: BASE_URL }
}
