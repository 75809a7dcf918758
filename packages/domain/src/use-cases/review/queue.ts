import type { Recipient } from '../../notifications/batch.ts'
import type { Origin } from '../../notifications/origin.ts'
import type { DeviceId } from '../../people/model.ts'
import type { Lanes } from './lanes.ts'

/** The recipients of a batch that have no result yet and are not in flight, in their order. */
export interface Queue {
  size(): number
  /** Returns the next ones, at most `most`, whose origin is not known yet or has room. They stay in the queue. */
  next(most: number): ReadonlyArray<Recipient>
  /** Notes that a recipient waits for an origin. */
  wait(recipient: Recipient, origin: Origin): void
  /** Takes a recipient out. */
  remove(recipient: Recipient): void
  /** Takes the recipients out that are left to the store: too many wait for their origin, or it gives no answers. */
  crowded(): ReadonlyArray<{ readonly deviceId: DeviceId; readonly origin: Origin }>
  /** Subtracts the rest from the counts of waiting recipients. */
  leave(): void
}

/** Returns a function that takes a place of an origin, if there is one; there is for an origin that is not known yet. */
const makeRooms = (lanes: Pick<Lanes, 'room'>): ((origin: Origin | undefined) => boolean) => {
  const rooms = new Map<Origin, number>()
  return (origin) => {
    if (origin === undefined) return true
    const room = rooms.get(origin) ?? lanes.room(origin)
    rooms.set(origin, room - 1)
    return room >= 1
  }
}

/** Makes the queue of a batch. */
export const makeQueue = (
  recipients: ReadonlyArray<Recipient>,
  lanes: Pick<Lanes, 'room' | 'wait' | 'isCrowded'>,
): Queue => {
  const left = new Map(recipients.map((recipient) => [recipient.deviceId, recipient]))
  const origins = new Map<DeviceId, Origin>()

  const forget = (deviceId: DeviceId): void => {
    const origin = origins.get(deviceId)
    if (origin !== undefined) lanes.wait(origin, -1)
    origins.delete(deviceId)
  }

  return {
    size: () => left.size,
    next(most) {
      const hasRoom = makeRooms(lanes)
      const chosen: Array<Recipient> = []
      for (const recipient of left.values()) {
        if (chosen.length >= most) break
        if (hasRoom(origins.get(recipient.deviceId))) chosen.push(recipient)
      }
      return chosen
    },
    wait({ deviceId }, origin) {
      if (origins.get(deviceId) === origin) return
      forget(deviceId)
      origins.set(deviceId, origin)
      lanes.wait(origin, 1)
    },
    remove({ deviceId }) {
      left.delete(deviceId)
      forget(deviceId)
    },
    crowded() {
      const gone = [...origins].filter(([, origin]) => lanes.isCrowded(origin))
      for (const [deviceId] of gone) {
        left.delete(deviceId)
        forget(deviceId)
      }
      return gone.map(([deviceId, origin]) => ({ deviceId, origin }))
    },
    leave() {
      for (const deviceId of [...origins.keys()]) forget(deviceId)
    },
  }
}
