import { type Almoner, type AlmonerAreas, createAlmoner, type Policy } from '@almoner/domain'
import { mediaAddressesBelow } from '@almoner/domain/media'
import type { Push } from '@almoner/domain/notifications'
import type { Ports } from '@almoner/domain/ports'
import { runningAtOnce } from '@almoner/domain/values'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { done } from '../contracts/index.ts'
import { instantTimer, memoryPorts, memoryPushGateway, type SetClock, setClock } from '../memory/index.ts'

/** The same use cases for tests: each member runs at once, resolves to the value, and rejects with a failure as its `cause`. */
export type Acting<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (
    ...given: infer Given
  ) => TE.TaskEither<infer _Error, infer Value>
    ? (...given: Given) => Promise<Value>
    : Acting<Area[Name]>
}

/** Adapts use cases to promises of their values. */
export const acting = <Area extends object>(area: Area): Acting<Area> =>
  runningAtOnce(area, done) as Acting<Area>

/** A whole service in memory. */
export interface TestFixture {
  /** The use cases. Pass a call to `failure` to get the tag of its failure. */
  readonly almoner: Almoner
  /** The same areas for calls that must succeed: each resolves to its value, and rejects with a failure as the `cause`. */
  readonly act: Acting<AlmonerAreas>
  /** The ports, to prepare and inspect the stored data. */
  readonly ports: Ports
  /** The clock of the ports. It stands at 2026-01-01T00:00:00Z until the test moves it; timers move it instead of waiting. */
  readonly clock: SetClock
  /** Returns all pushes so far, oldest first. */
  readonly pushes: () => ReadonlyArray<Push>
}

/**
 * Returns an empty service in memory, with a fixed clock and identifiers that count up.
 * @param policy settings that differ from the default
 * @param replaced ports that differ from those in memory, such as one that fails
 */
export const testFixture = (policy: Partial<Policy> = {}, replaced: Partial<Ports> = {}): TestFixture => {
  const clock = setClock()
  const pushGateway = memoryPushGateway()
  const ports = memoryPorts({
    clock,
    timer: instantTimer(clock),
    mediaAddresses: mediaAddressesBelow('https://api.example.org'),
    pushGateway,
    ...replaced,
  })
  const almoner = createAlmoner(ports, policy)
  const { promises: _promises, ports: _ports, policy: _policy, ...areas } = almoner
  return { almoner, act: acting(areas), ports, clock, pushes: pushGateway.pushes }
}
