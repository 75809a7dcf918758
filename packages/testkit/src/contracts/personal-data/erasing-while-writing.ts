import { type Almoner, createAlmoner } from '@almoner/domain'
import {
  authenticatedCallerOf,
  type Caller,
  type IdempotencyKey,
  keyOwner,
  type Receipt,
} from '@almoner/domain/access'
import { CreateFeedItem, type UnpublishedFeedItem } from '@almoner/domain/content'
import { type CopyKey, callerOfSession, makePutCopy } from '@almoner/domain/managers'
import {
  AttachDevice,
  DetachDevice,
  type DeviceToken,
  deviceKeys,
  SetPreference,
} from '@almoner/domain/people'
import type { Ports, StoredToken } from '@almoner/domain/ports'
import { parseInput } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { memoryPorts, setClock } from '../../memory/index.ts'
import { sampleClient } from '../access/access.ts'
import { sampleDigest, sampleManager, sampleSession } from '../managers/managers.ts'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleNotification,
  sampleNotificationId,
  sampleToken,
} from '../samples.ts'
import { find, type GivenPersonalData, LATER, NOTHING, type PersonalDataFixture } from './fixture.ts'

/** The client that the person of these tests is bound to, and a manager with the same address. */
const APP = sampleClient('app-of-1')
const PERSON = sampleEmail(1)
const MANAGER = { ...sampleManager('ada'), email: PERSON }

/** The device that the person has before the write, and the one that the write attaches. */
const [HELD, NEW] = [sampleToken(1), sampleToken(101)]

/** The person's own access token (A10). */
const TOKEN: StoredToken = {
  ...{ digest: sampleDigest(9), clientId: APP.id, scopes: ['user-donor'] },
  ...{ expiresAt: LATER, person: PERSON },
}

const KEY = 'a key' as IdempotencyKey

/** Returns the receipt of a write whose response holds what the write gives. */
const receiptOf = <A>(caller?: Caller): Receipt<A> => ({
  clientId: APP.id,
  ...(caller?.personToken !== undefined && keyOwner(caller)),
  key: KEY,
  digest: 'digest',
  at: SAMPLE_MOMENT,
  about: O.none,
  responseTo: (result) => ({
    ...{ status: 200, contentType: O.none, etag: O.none },
    body: JSON.stringify(result),
  }),
})

const parsed = <A>(input: { readonly ok: boolean; readonly value?: A }): A => {
  if (input.value === undefined) throw new Error('a sample is malformed')
  return input.value
}

const POST = parsed(
  parseInput(CreateFeedItem, { itemType: 'photo', itemTitle: 'A well', itemDescription: 'Clean water.' }),
)
const ATTACHMENT = parsed(parseInput(AttachDevice, { email: PERSON, device_token: NEW }))
const DETACHMENT = parsed(parseInput(DetachDevice, { email: PERSON, token: HELD }))
const PREFERENCE = parsed(parseInput(SetPreference, { email: PERSON, lang: 'fr', subscribed: false }))

/** The ports of a store that writes for a person use. */
export type PersonalWritePorts = Pick<
  Ports,
  | 'accessTokens'
  | 'clients'
  | 'managers'
  | 'devices'
  | 'users'
  | 'feedItems'
  | 'idempotencyKeys'
  | 'workingCopies'
  | 'notifications'
  | 'deliveries'
  | 'inbox'
>

type Write = TE.TaskEither<{ readonly _tag: string }, unknown>

/** A request that stores something of a person. */
export interface PersonalWrite {
  readonly name: string
  /** Looks the caller up, and returns the use case that then runs on the store. */
  readonly begin: (store: PersonalWritePorts) => Promise<Write>
  /** How it fails once the person is erased; undefined if it does its work without the person. */
  readonly afterErasure: 'NoActingUser' | 'NoSession' | undefined
  /** The table that it writes last. */
  readonly lastTable: string
}

const clock = setClock(SAMPLE_MOMENT)

const areasOn = (store: PersonalWritePorts) => createAlmoner(memoryPorts({ ...store, clock }))

/** The client's token, as it is looked up while the client is bound. */
const CLIENT = authenticatedCallerOf({
  ...{ clientId: APP.id, scopes: ['user-donor'], roles: [] },
  ...{ email: O.some(PERSON), expiresAt: LATER },
})

/** Looks up the callers that the store binds to the person. */
const CALLERS = {
  client: async (): Promise<Caller> => CLIENT,
  manager: async ({ managers }: PersonalWritePorts): Promise<Caller> => {
    const [found] = await done(managers.numbered())
    if (found === undefined) throw new Error('the manager has no number')
    return callerOfSession({ session: sampleSession(1, MANAGER), ...found })
  },
  person: async ({ accessTokens }: PersonalWritePorts): Promise<Caller> => {
    const grant = await done(accessTokens.grantOf(TOKEN.digest, SAMPLE_MOMENT))
    if (O.isNone(grant)) throw new Error('the person has no token')
    return authenticatedCallerOf(grant.value)
  },
}

const writesBy = (by: keyof typeof CALLERS): ReadonlyArray<PersonalWrite> => {
  const inAudit = { lastTable: 'audit_record' }
  const asCaller =
    (write: (areas: Almoner, caller: Caller) => Write): PersonalWrite['begin'] =>
    async (store) =>
      write(areasOn(store), await CALLERS[by](store))
  return [
    {
      name: `a post by a ${by}`,
      begin: asCaller(({ feed }, caller) =>
        feed.create(caller, POST, receiptOf<UnpublishedFeedItem>(caller)),
      ),
      afterErasure: undefined,
      ...inAudit,
    },
    {
      name: `attaching a device by a ${by}`,
      begin: asCaller(({ devices }, caller) => devices.attach(caller, ATTACHMENT)),
      afterErasure: 'NoActingUser',
      ...inAudit,
    },
    {
      name: `attaching a device with an idempotency key by a ${by}`,
      begin: asCaller(({ devices }, caller) => devices.attach(caller, ATTACHMENT, receiptOf(caller))),
      afterErasure: 'NoActingUser',
      lastTable: 'idempotency_key',
    },
    {
      name: `detaching a device by a ${by}`,
      begin: asCaller(({ devices }, caller) => devices.detach(caller, DETACHMENT)),
      afterErasure: 'NoActingUser',
      ...inAudit,
    },
    {
      name: `setting a preference by a ${by}`,
      begin: asCaller(({ users }, caller) => users.setPreference(caller, PREFERENCE)),
      afterErasure: 'NoActingUser',
      ...inAudit,
    },
    {
      name: `marking a notification as seen by a ${by}`,
      begin: asCaller(({ users }, caller) =>
        users.markSeen(caller, { email: PREFERENCE.email, id: sampleNotificationId(1) }),
      ),
      afterErasure: 'NoActingUser',
      lastTable: 'seen_mark',
    },
  ]
}

/** Every write that stores something of the person behind its caller (L1). */
export const PERSONAL_WRITES: ReadonlyArray<PersonalWrite> = [
  ...writesBy('client'),
  ...writesBy('manager'),
  ...writesBy('person'),
  {
    name: 'a working copy of a manager',
    begin: async (store) =>
      makePutCopy({ ...store, clock })(await CALLERS.manager(store), {
        key: 'library-new' as CopyKey,
        contentType: 'library',
        fields: {},
      }),
    afterErasure: 'NoSession',
    lastTable: 'working_copy',
  },
]

/** Gives the person of {@link PERSONAL_WRITES} a client, a device, a manager and a notification in the inbox, in an empty store. */
export const givePerson = async (store: PersonalWritePorts): Promise<void> => {
  await done(store.clients.add({ ...APP, roles: [], email: O.some(PERSON) }, 'hash'))
  await done(store.accessTokens.add(TOKEN))
  const act = {
    actor: { kind: 'command', id: 'manager add' },
    action: 'add-manager',
    at: SAMPLE_MOMENT,
  } as const
  await done(store.managers.add(MANAGER, act))
  await done(store.devices.attach(sampleDevice(1)))
  await done(store.notifications.add(sampleNotification(1)))
  await done(store.deliveries.start(SAMPLE_MOMENT, 1))
}

/** The texts that identify the person of {@link PERSONAL_WRITES}. */
export const PERSONAL_TEXTS: ReadonlyArray<string> = [PERSON, HELD, NEW]

const erase = ({ personalData }: PersonalDataFixture) => done(personalData.erase(PERSON, LATER))

/** Returns whether a key is used. */
const isKept = async ({ idempotencyKeys }: PersonalDataFixture, key = KEY): Promise<boolean> =>
  (
    await Promise.all(
      [undefined, PERSON].map((person) =>
        done(idempotencyKeys.find({ clientId: APP.id, person, key }, SAMPLE_MOMENT)),
      ),
    )
  ).some(O.isSome)

const { number: _, ...withoutNumber } = NOTHING

/** Erasing a person while a write for the same person runs. */
export const erasingWhileWriting = (given: GivenPersonalData): void => {
  for (const { name, begin, afterErasure } of PERSONAL_WRITES) {
    given(`A9, L1: ${name} that reaches the store after the erasure leaves nothing`, async (check, setup) => {
      await givePerson(setup)
      const write = await begin(setup)
      await erase(setup)
      const outcome = await write()
      check.same(E.isLeft(outcome) ? outcome.left._tag : undefined, afterErasure)
      check.same(await find(setup, 1), NOTHING)
      // A key of the person would hold the address.
      check.same(await isKept(setup), afterErasure === undefined && !name.endsWith('person'))
    })

    given(`L1: ${name} before the erasure is erased`, async (check, setup) => {
      await givePerson(setup)
      check.ok(E.isRight(await (await begin(setup))()))
      await erase(setup)
      check.same(await find(setup, 1), NOTHING)
    })
  }

  given(
    'L1, L3: a post that reaches the store after the erasure has its client only',
    async (check, setup) => {
      await givePerson(setup)
      const { feed } = areasOn(setup)
      const authorsOf = ({ id }: UnpublishedFeedItem) => done(setup.feedAuthors.ofPosts([id]))
      const early = await done(feed.create(CLIENT, POST))
      check.same(await authorsOf(early), new Map([[early.id, { clientId: APP.id, email: O.some(PERSON) }]]))
      await erase(setup)
      const post = await done(feed.create(CLIENT, POST))
      check.same(await authorsOf(post), new Map([[post.id, { clientId: APP.id, email: O.none }]]))
    },
  )

  given('L1: a user manager who names the address makes the user again', async (check, setup) => {
    await givePerson(setup)
    await erase(setup)
    const backend = authenticatedCallerOf({
      ...{ clientId: APP.id, scopes: ['user-donor'], roles: ['user-manager'] },
      ...{ email: O.some(PERSON), expiresAt: LATER },
    })
    const { devices, users } = areasOn(setup)
    const device = await done(devices.attach(backend, ATTACHMENT))
    const user = await done(users.setPreference(backend, PREFERENCE))
    const { number, ...found } = await find(setup, 1)
    check.ok(O.isSome(number))
    check.same(found, { ...withoutNumber, user: O.some(user), devices: [device] })
  })

  given(
    'I4, L1: a response of another user goes with the device token that it holds',
    async (check, setup) => {
      await givePerson(setup)
      const moved = { ...sampleDevice(2), token: NEW as DeviceToken }
      const receipt = { ...receiptOf(), about: O.some(moved.email), device: deviceKeys(moved).identity }
      await done(setup.devices.attach(moved, receipt))
      await done(setup.devices.attach({ ...moved, email: PERSON }))
      check.ok(await isKept(setup))
      await erase(setup)
      check.same(await isKept(setup), false)
      check.same((await find(setup, 2)).responses, [])
    },
  )
}
