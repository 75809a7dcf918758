import { DEFAULT_POLICY, mediaAddressesBelow, type Ports } from '@almoner/domain'
import { memoryFailedAttempts, NO_ID_TOKENS } from '@almoner/domain/access'
import type { MediaName } from '@almoner/domain/media'
import { unavailable } from '@almoner/domain/ports'
import {
  countingIds,
  evenRandom,
  memoryLinkChecker,
  memoryPortfolioImages,
  memoryPushGateway,
  memoryStore,
  plainPortfolioImageChecker,
  plainSecrets,
  setClock,
} from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Seeding } from '../../src/demo/seeding.ts'

/** Where a seeding is cut off: at its n-th write, before or after that is done. */
export interface Cut {
  readonly at: number
  readonly written: boolean
}

/** A service in memory to seed. */
export interface Fixture {
  readonly ports: Ports
  readonly files: ReadonlyMap<MediaName, number>
  /** Writes done so far. */
  readonly writes: () => number
  /** The numbers of the writes to a port, from 1. */
  readonly writesTo: (port: keyof Ports) => ReadonlyArray<number>
  readonly seeding: (cut?: Cut) => Seeding
}

const OUTAGE = unavailable(new Error('cut off'))

/** Methods that change something. */
const WRITES: Readonly<Partial<Record<keyof Ports, ReadonlyArray<string>>>> = {
  libraryItems: ['add', 'change'],
  feedItems: ['add', 'change'],
  labels: ['attach', 'replaceAll'],
  clients: ['add', 'rotate'],
  users: ['prefer'],
  devices: ['attach'],
  notifications: ['add'],
  deliveries: ['start', 'claim', 'record', 'releaseClaim'],
  portfolioImages: ['put'],
  portfolio: ['replace'],
  mediaStore: ['put'],
}

type Method = (...args: ReadonlyArray<unknown>) => TE.TaskEither<unknown, unknown>

/** The port, whose writes go through `around`. */
const watched = <P extends object>(
  port: P,
  names: ReadonlyArray<string>,
  around: (write: TE.TaskEither<unknown, unknown>) => TE.TaskEither<unknown, unknown>,
): P =>
  new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (!names.includes(String(name)) || typeof method !== 'function') return method
      return (...args: ReadonlyArray<unknown>) => around((method as Method)(...args))
    },
  })

/** Makes an empty service. Pictures are taken as they are in it. */
export const makeFixture = (): Fixture => {
  const files = new Map<MediaName, number>()
  const clock = setClock(Date.UTC(2026, 10, 21, 12))
  const ports: Ports = {
    ...memoryStore(),
    clock,
    ids: countingIds(),
    secrets: plainSecrets(),
    failedAttempts: memoryFailedAttempts(),
    idTokens: NO_ID_TOKENS,
    mediaAddresses: mediaAddressesBelow('http://127.0.0.1:3000'),
    linkChecker: memoryLinkChecker(),
    pushGateway: memoryPushGateway(),
    random: evenRandom,
    // The clock is fixed: all attempts create content of the same age.
    timer: { wait: () => async () => {} },
    portfolioImages: memoryPortfolioImages(clock),
    portfolioImageChecker: plainPortfolioImageChecker,
    imageChecker: {
      check: (bytes) => TE.right({ type: 'image/jpeg', bytes, size: { width: 400, height: 560 } }),
    },
    mediaStore: {
      put: (name, { bytes }) => TE.fromIO(() => void files.set(name, bytes.length)),
      remove: (name) => TE.fromIO(() => void files.delete(name)),
      putRendition: () => TE.right(undefined),
      claimRenditions: () => TE.right('claimed'),
      releaseRenditions: () => TE.right(undefined),
      removeStrayRenditions: () => TE.right(0),
      files: async function* () {},
      readMarker: () => TE.right(O.none),
      writeMarker: () => TE.right(undefined),
    },
  }
  const written: Array<keyof Ports> = []
  const cutAt =
    (port: keyof Ports, cut: Cut | undefined, from: number) =>
    (write: TE.TaskEither<unknown, unknown>): TE.TaskEither<unknown, unknown> =>
    async () => {
      written.push(port)
      const at = written.length - from
      if (cut === undefined || at < cut.at) return write()
      if (cut.written && at === cut.at) await write()
      return TE.left(OUTAGE)()
    }
  const seeding = (cut?: Cut): Seeding => {
    const from = written.length
    const entries = (Object.keys(ports) as Array<keyof Ports>).map((name) => [
      name,
      watched<object>(ports[name], WRITES[name] ?? [], cutAt(name, cut, from)),
    ])
    return {
      ports: Object.fromEntries(entries) as Ports,
      policy: DEFAULT_POLICY,
      now: clock.now(),
      onProgress: () => {},
      signal: { aborted: false },
    }
  }
  const writesTo = (port: keyof Ports) => written.flatMap((name, n) => (name === port ? [n + 1] : []))
  return { ports, files, writes: () => written.length, writesTo, seeding }
}
