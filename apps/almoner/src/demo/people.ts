import {
  AttachDevice,
  DEFAULT_POLICY,
  makeAttachDevice,
  makeSetPreference,
  SetPreference,
} from '@almoner/domain'
import people from '../../demo/people.json' with { type: 'json' }
import { USER_MANAGER } from './clients.ts'
import { at, command, mustSucceed, type Seeding } from './seeding.ts'
import { attachedAt } from './timeline.ts'

/** Seeds the users with their devices. Idempotent. */
export const seedPeople = async ({ ports, now }: Seeding): Promise<void> => {
  for (const [rank, { devices, ...preference }] of people.entries()) {
    await mustSucceed(makeSetPreference(ports)(USER_MANAGER, command(SetPreference, preference)))
    // The default policy: these tokens name kinds that no setting changes.
    const attach = makeAttachDevice(at(ports, attachedAt(now, rank)), DEFAULT_POLICY)
    for (const token of devices) {
      const device = command(AttachDevice, { email: preference.email, device_token: token })
      await mustSucceed(attach(USER_MANAGER, device))
    }
  }
}
