import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { command, contentOf } from '../../../apps/almoner/test/support/portfolio.ts'
import {
  type ConsoleFixture,
  OWN_PAGE,
  signIn,
  startConsole,
} from '../../../packages/adapters-http/test/support/console.ts'
import { openPortfolio, openPortfolioUpload } from '../../../packages/adapters-node/src/files/index.ts'
import { faultLine } from '../../../packages/adapters-node/src/files/reading.ts'
import {
  fileFaultOf,
  makeLoadPortfolio,
  type OpenedPortfolio,
  type PortfolioContent,
  type TableLoads,
} from '../../../packages/domain/src/portfolio/index.ts'
import { done } from '../../../packages/testkit/src/contracts/index.ts'
import type { ZipFile } from './zip-writers.ts'

// The ways in for a portfolio: the package (an embedding service), the console's API, and the command line.

/** The result of a load: the portfolio afterwards, or the errors, as `file:line: sentence`. */
export type Loaded =
  | { readonly content: PortfolioContent; readonly loads: TableLoads }
  | { readonly lines: ReadonlyArray<string> }

/** Files to load: as they are named, and where they are on the disk. */
export interface Given {
  /** A folder or an archive. */
  readonly path: string
  readonly files: ReadonlyArray<ZipFile>
}

/** A way in. `end` closes it. */
export interface WayIn {
  readonly name: string
  readonly load: (given: Given) => Promise<Loaded>
  readonly end: () => Promise<void>
}

/** Writes files below a folder. Returns them as they are given to a way in. */
export const onDisk = (path: string, files: ReadonlyArray<ZipFile>): Given => {
  for (const { name, content } of files) {
    const file = join(path, String(name))
    if (file.endsWith('/')) {
      mkdirSync(file, { recursive: true })
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return { path, files }
}

const isArchive = ({ path }: Given): boolean => path.endsWith('.zip')

/** The sentence about an upload as a whole does not depend on how the upload is called. */
const refusedLine = (file: string | undefined, message: string): string =>
  file === undefined || file === 'files' ? message : `${file}: ${message}`

/** Loads with the package, as a service does that embeds it. */
const throughPackage = async (folder: string): Promise<WayIn> => {
  const fixture = await startConsole(folder)
  const load = makeLoadPortfolio(fixture.ports)
  const openUpload = openPortfolioUpload()
  const open = async (given: Given): Promise<OpenedPortfolio | ReadonlyArray<string>> => {
    if (!isArchive(given)) return openPortfolio(given.path, { isBelow: true })
    const [{ content = '' } = {}] = given.files
    const sent = (async function* () {
      yield {
        path: basename(given.path),
        content: (async function* () {
          yield Buffer.from(content as string)
        })(),
      }
    })()
    const opened = await openUpload(sent)()
    if (opened._tag === 'Right') return opened.right
    if (opened.left._tag !== 'UploadRefused') throw opened.left
    return [refusedLine(opened.left.file, opened.left.message)]
  }
  return {
    name: 'package',
    end: fixture.stop,
    load: async (given) => {
      const opened = await open(given)
      if (!('draft' in opened)) return { lines: opened }
      const result = await load({ ...opened, report: () => {} })()
      await opened.close()
      if (result._tag === 'Right')
        return { content: await done(fixture.ports.portfolio.content()), loads: result.right.loads }
      const failure = result.left
      if (failure._tag === 'UploadRefused')
        return { lines: [refusedLine(failure.file || undefined, failure.message)] }
      if (failure._tag !== 'PortfolioRefused') throw failure
      return { lines: failure.faults.map((fault) => faultLine(fileFaultOf(fault))) }
    },
  }
}

interface Review {
  readonly faults: ReadonlyArray<{
    readonly file: string
    readonly line: number | null
    readonly text: string
  }>
  readonly plan: {
    readonly fingerprint: string
    readonly tables: ReadonlyArray<{ readonly table: string; readonly load: string }>
  } | null
}

interface Answer {
  readonly review?: Review
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** Reviews and loads through the routes of the console. */
const throughConsole = async (folder: string): Promise<WayIn> => {
  const fixture: ConsoleFixture = await startConsole(folder)
  const post = async (path: string, { path: place, files }: Given): Promise<Answer> => {
    const multipart = new FormData()
    const sent = place.endsWith('.zip') ? files.map((file) => ({ ...file, name: basename(place) })) : files
    for (const { name, content } of sent)
      if (!String(name).endsWith('/'))
        multipart.append('files', new Blob([content as Uint8Array<ArrayBuffer>]), String(name))
    const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    const response = await fixture.call('POST', `/console/api/portfolio/${path}`, { headers, multipart })
    return (await response.json()) as Answer
  }
  return {
    name: 'console',
    end: fixture.stop,
    load: async (given) => {
      const { review, errors = [] } = await post('review', given)
      if (review === undefined)
        return { lines: errors.map(({ field, message }) => refusedLine(field, message)) }
      const { plan, faults } = review
      if (plan === null)
        return { lines: faults.map(({ line, ...fault }) => faultLine({ ...fault, line: line ?? undefined })) }
      await post(`load?fingerprint=${plan.fingerprint}`, given)
      return {
        content: await done(fixture.ports.portfolio.content()),
        loads: Object.fromEntries(plan.tables.map(({ table, load }) => [table, load])) as never,
      }
    },
  }
}

/** Loads with the command line. */
const throughCommand = async (folder: string): Promise<WayIn> => ({
  name: 'command line',
  end: async () => {},
  load: async ({ path }) => {
    const { code, out, err } = await command(folder, 'portfolio', 'load', path, '--json')
    if (code === 0) return { content: await contentOf(folder), loads: JSON.parse(out).loads }
    return {
      lines: err
        .trimEnd()
        .split('\n')
        .map((line) => line.replace('almoner: ', '').replaceAll(`${path}/`, ''))
        .map((line) => line.replace(/^(?:ours\/|The portfolio )/, '').replace(`${path}: holds`, 'holds')),
    }
  },
})

/** Opens all ways in. They share no portfolio. */
export const openWaysIn = async (folder: string): Promise<ReadonlyArray<WayIn>> => {
  const places = ['package', 'console', 'command'].map((name) => join(folder, name))
  for (const place of places) mkdirSync(place)
  const [first = '', second = '', third = ''] = places
  return [await throughPackage(first), await throughConsole(second), await throughCommand(third)]
}
