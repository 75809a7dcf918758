import { type Almoner, type AlmonerAreas, createAlmoner, type Policy } from '@almoner/domain'
import { mediaAddressesBelow } from '@almoner/domain/media'
import type { Push } from '@almoner/domain/notifications'
import type { Ports } from '@almoner/domain/ports'
import { instantTimer, memoryPorts, memoryPushGateway, type SetClock, setClock } from '../memory/index.ts'
import { type Acting, acting } from './acting.ts'

/** A whole service in memory. */
export interface TestWorld {
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
export const testWorld = (policy: Partial<Policy> = {}, replaced: Partial<Ports> = {}): TestWorld => {
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
