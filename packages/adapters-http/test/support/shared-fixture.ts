import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ports } from '@almoner/domain'
import type { DataPart } from '@almoner/domain/history'
import root, { type Test } from 'tap'
import {
  type Backend,
  type Fixture,
  type FixtureOptions,
  fixtureOn,
  openBackend,
  type Server,
  startFixture,
  startServer,
} from './fixture.ts'

/** What a server can be shared under. */
type SharedOptions = Pick<FixtureOptions, 'store' | 'policy'>

const SHARED: ReadonlyArray<string> = ['store', 'policy'] satisfies ReadonlyArray<keyof SharedOptions>

/** A server that tests use one after the other, each with a separate backend. */
interface SharedServer {
  readonly server: Server
  readonly mediaFolder: string
  readonly enter: (backend: Backend) => void
  /** Resolves when no response is in progress. */
  readonly rest: () => Promise<void>
}

const free = new Map<string, Array<SharedServer>>()

/** Ports that pass every call on to those of the moment. */
const passingOn = (ports: Ports, present: () => Ports): Ports => {
  const through = (name: keyof Ports) =>
    new Proxy(ports[name], {
      get:
        (_, call) =>
        (...args: ReadonlyArray<never>) =>
          Reflect.get(present()[name], call)(...args),
    })
  return Object.fromEntries(
    (Object.keys(ports) as Array<keyof Ports>).map((name) => [name, through(name)]),
  ) as never
}

/** Responses in progress. */
const watchAnswers = ({ app }: Server): SharedServer['rest'] => {
  const open = new Set<ServerResponse>()
  app.server.on('request', (_, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return async () => {
    for (const response of open) await once(response, 'close')
  }
}

const start = async (first: Backend, options: SharedOptions): Promise<SharedServer> => {
  let [backend, backends] = [first, 1]
  const ports = passingOn(first.ports, () => backend.ports)
  // Each backend has unique versions.
  const versions = first.versions && {
    version: (of?: ReadonlyArray<DataPart>) => backends * 1e9 + (backend.versions?.version(of) ?? 0),
  }
  const { media, mediaFolder } = first
  const server = await startServer(ports, { media, versions }, (line) => backend.lines.push(line), options)
  root.teardown(() => server.app.close())
  return {
    server,
    mediaFolder,
    enter: (next) => {
      backend = next
      backends += 1
    },
    rest: watchAnswers(server),
  }
}

const newMediaFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'almoner-media-'))
  root.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A fixture on a shared server, with a separate backend until it is stopped. */
export const shareRig = async (folder: string, options: SharedOptions): Promise<Fixture> => {
  const kind = JSON.stringify([options.store, options.policy])
  const known = free.get(kind)?.pop()
  const mediaFolder = known?.mediaFolder ?? newMediaFolder()
  rmSync(mediaFolder, { recursive: true })
  const backend = await openBackend(folder, mediaFolder, options)
  const shared = known ?? (await start(backend, options))
  shared.enter(backend)
  return fixtureOn(shared.server, backend, async () => {
    await shared.rest()
    await backend.close()
    free.set(kind, [...(free.get(kind) ?? []), shared])
    shared.server.agree()
  })
}

/**
 * A fixture until a test ends. Unless the test asks for more than a store and a policy, the server behind it has served other tests before,
 * as starting it takes longer than most of them. Of those nothing is left: store, images, clock, log and failed attempts are the test's
 * own.
 */
export const rigFor = async (t: Test, options: FixtureOptions): Promise<Fixture> => {
  const isShared = Object.keys(options).every((name) => SHARED.includes(name))
  const fixture = await (isShared ? shareRig : startFixture)(t.testdir(), options)
  t.teardown(fixture.stop)
  return fixture
}
