import { join } from 'node:path'
import { makeLoadLabels } from '@almoner/domain/content'
import type { PortfolioContent } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import type { Test } from 'tap'
import { BASE_URL, startFixture, startServer } from '../../../adapters-http/test/support/fixture.ts'
import { storeOn } from '../../../adapters-postgres/test/store-of.ts'
import { openStore } from '../../../adapters-sqlite/test/store-of.ts'
import type { LoadedLabel, Nodes } from '../model/writers.ts'

/** Opens the stores of a database beside those of a fixture. */
const openAnother = async (folder: string, url: string | undefined) =>
  url === undefined ? openStore(join(folder, 'almoner.db')) : storeOn(url)

/** How labels and portfolio are loaded into a store. */
export const loadsInto = ({
  labels,
  portfolio,
}: Pick<Awaited<ReturnType<typeof openStore>>, 'labels' | 'portfolio'>): Pick<
  Nodes,
  'loadLabels' | 'loadPortfolio'
> => {
  const load = makeLoadLabels({ labels })
  return {
    loadLabels: (some: ReadonlyArray<LoadedLabel>) => done(load(some)),
    loadPortfolio: async (n) => {
      const content: PortfolioContent = await done(portfolio.content())
      await done(portfolio.replace({ ...content, name: `Portfolio ${n}` }))
    },
  }
}

/** Starts three servers on one database, in this process, each with its own connections and caches. */
export const startNodes = async (t: Test, store: 'sqlite' | 'postgres') => {
  const folder = t.testdir()
  const fixture = await startFixture(folder, { store, logLevel: 'error' })
  t.teardown(fixture.stop)
  const urls = [fixture.url]
  for (const _ of [1, 2]) {
    const { database, close, ...own } = await openAnother(folder, fixture.database)
    const versions = {
      version: () => database.version('data'),
      accessVersion: () => database.version('permissions'),
    }
    const media = { files: { open: async () => undefined } as never, folder: fixture.mediaFolder }
    const ports = { ...fixture.ports, ...own }
    const server = await startServer(ports, { media: media as never, versions }, () => {}, {
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
    ...loadsInto(fixture.ports as never),
  }
  return { nodes, fixture, baseUrl: BASE_URL }
}
