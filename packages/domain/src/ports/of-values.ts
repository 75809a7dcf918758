import type { TimeZone } from '../values/time-zone.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Random } from './random.ts'
import type { Timer } from './timer.ts'

/** What every area asks of the world. */
export interface CommonPorts {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly timer: Timer
}

/** What a deployment decides for every area. */
export interface CommonPolicy {
  /** Where "today" is counted (B8). */
  readonly timeZone: TimeZone
}
