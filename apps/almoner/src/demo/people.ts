import {
  AttachDevice,
  DEFAULT_POLICY,
  makeAttachDevice,
  makeSetPreference,
  SetPreference,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type DemoPerson, demoPeople } from '../../demo/people.ts'
import { DEMO_USER_MANAGER } from './clients.ts'
import { at, command, mustSucceed, oneByOne, type Seeding } from './seeding.ts'
import { attachedAt } from './timeline.ts'

const attach =
  ({ ports, now }: Seeding, rank: number, email: string) =>
  (token: string): TE.TaskEither<Unavailable, unknown> =>
    mustSucceed(
      // The tokens are of the kinds that are known without settings, and none of them is to pass for another.
      makeAttachDevice(at(ports, attachedAt(now, rank)), DEFAULT_POLICY)(
        DEMO_USER_MANAGER,
        command(AttachDevice, { email, device_token: token }),
      ),
    )

const welcome =
  (seeding: Seeding) =>
  ([rank, { email, lang, subscribed, devices }]: readonly [number, DemoPerson]): TE.TaskEither<
    Unavailable,
    unknown
  > =>
    pipe(
      mustSucceed(
        makeSetPreference(seeding.ports)(
          DEMO_USER_MANAGER,
          command(SetPreference, { email, lang, subscribed }),
        ),
      ),
      TE.flatMap(() => oneByOne(devices, attach(seeding, rank, email))),
    )

/** Users with their devices. Twice is the same as once. */
export const seedPeople = (seeding: Seeding): TE.TaskEither<Unavailable, unknown> =>
  oneByOne([...demoPeople.entries()], welcome(seeding))
