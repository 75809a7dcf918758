import { makeAttachDevice, makeDetachDevice, makeListDevices } from '../people/devices.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Phones and browsers of users. */
export interface DevicesArea {
  /**
   * Lists the devices of a user; an unknown user has none (F3, F4).
   * Fails with InsufficientScope, NoActingUser, PresenceRequired or ValidationFailed.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.devices.list(donor, { email: 'me' })
   * ```
   */
  readonly list: ReturnType<typeof makeListDevices>
  /**
   * Attaches a device to a user, and recognizes the push provider by the token (F1, F4, F5).
   * Fails with InsufficientScope, NoActingUser, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(AttachDevice, { email: 'me', device_token: 'fcm:my-new-phone' })
   * if (input.ok) await almoner.promises.devices.attach(donor, input.value)
   * ```
   */
  readonly attach: ReturnType<typeof makeAttachDevice>
  /**
   * Detaches a device from the user who has it, by any text that leads to it (F4).
   * Fails with DeviceNotFound, InsufficientScope, NoActingUser, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.devices.detach(donor, { email: 'me', token: device.token })
   * ```
   */
  readonly detach: ReturnType<typeof makeDetachDevice>
}

/** Binds the use cases of devices to ports and a policy. */
export const makeDevicesArea = (ports: Ports, policy: Policy): DevicesArea => ({
  list: makeListDevices(ports),
  attach: makeAttachDevice(ports, policy),
  detach: makeDetachDevice(ports, policy),
})
