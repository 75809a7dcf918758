import type { Status } from '../content/model.ts'
import type { ContentType } from '../history/model.ts'
import type { Tally } from '../notifications/model.ts'
import type { DeviceKind } from '../people/destinations.ts'
import type { Language } from '../values/text.ts'

/** How many items of a content type are in a state and a language. */
export interface ItemCount {
  readonly contentType: ContentType
  readonly status: Status
  readonly lang: Language
  readonly count: number
}

/** How many devices are of a kind. */
export interface DeviceCount {
  readonly kind: DeviceKind
  readonly count: number
}

/** A service in numbers. What there is none of is left out. */
export interface Survey {
  /** By content type, state and language, in no order. */
  readonly items: ReadonlyArray<ItemCount>
  /** By kind, in no order. */
  readonly devices: ReadonlyArray<DeviceCount>
  /** Outcomes of devices, counted for each requested day. */
  readonly deliveries: ReadonlyArray<Tally>
}
