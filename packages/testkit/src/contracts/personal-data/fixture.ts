import { commandActor } from '@almoner/domain/access'
import { OUTCOMES, type Progress } from '@almoner/domain/notifications'
import type { FoundPerson, PersonalRecord } from '@almoner/domain/personal-data'
import type { Ports } from '@almoner/domain/ports'
import type { ClientId, Email } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleClient } from '../access/access.ts'
import { type DeliveriesFixture, type DeliveryStore, makeDeliveryFixture } from '../delivery/fixture.ts'
import { sampleManager } from '../managers/managers.ts'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import { done, sampleDevice, sampleEmail, sampleFeedItem, sampleMoment } from '../samples.ts'

type FixtureNeeds =
  | 'accessTokens'
  | 'managers'
  | 'oneTimeSecrets'
  | 'sessions'
  | 'passkeys'
  | 'identities'
  | 'passwords'
  | 'workingCopies'
  | 'personalData'
  | 'clients'
  | 'feedItems'
  | 'feedAuthors'
  | 'history'
  | 'idempotencyKeys'
  | 'inbox'

/** A store of one test, alone with its data. */
export interface PersonalDataUnderTest extends DeliveryStore, Pick<Ports, FixtureNeeds> {
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** The stores of a test, with the steps that the tests of deliveries are made of. */
export type PersonalDataFixture = DeliveriesFixture & Pick<Ports, FixtureNeeds>

/** The record of an unknown person. */
export const NOTHING: PersonalRecord = {
  user: O.none,
  formerPreferences: [],
  manager: O.none,
  number: O.none,
  passkeys: [],
  identity: O.none,
  password: O.none,
  workingCopies: [],
  proposals: [],
  waitingFeed: O.none,
  devices: [],
  deadDevices: [],
  deliveries: [],
  seen: [],
  posts: [],
  clients: [],
  tokens: [],
  responses: [],
}

/** When people are erased. */
export const LATER = sampleMoment(100)

/** Erases the n-th person. */
export const erase = ({ personalData }: PersonalDataFixture, n: number) =>
  done(personalData.erase(sampleEmail(n), LATER))

/** Finds the record of the n-th person. */
export const find = ({ personalData }: PersonalDataFixture, n: number) =>
  done(personalData.find(sampleEmail(n)))

/** Returns the number of recipients and of each outcome. */
export const outcomes = ({ recipients, tally }: Progress) => [
  recipients,
  ...OUTCOMES.map((name) => tally[name]),
]

/** Registers a test that has its own store. */
export type GivenPersonalData = (
  name: string,
  body: (check: Check, setup: PersonalDataFixture) => Promise<void>,
) => void

/** Makes the function that registers tests. */
export const givenPersonalData = (
  runner: ContractRunner,
  make: () => Promise<PersonalDataUnderTest>,
): GivenPersonalData => onEach(runner, make, (store) => ({ ...store, ...makeDeliveryFixture(store) }))

const address = (name: string): Email => `${name}@example.org` as Email

const search = ({ personalData }: PersonalDataFixture, text: string, most = 10) =>
  done(personalData.search(text, most))

const emails = (people: ReadonlyArray<FoundPerson>) => people.map(({ email }) => email)

const prefer = ({ users }: PersonalDataFixture, ...all: ReadonlyArray<Email>) =>
  done(users.putAll(all.map((email) => ({ email, lang: 'fr', subscribed: false, topics: [] }))))

/** Tests of finding people by their addresses. */
export const searchingPeople = (given: GivenPersonalData): void => {
  given('L1: people are found by address or a part of it, the exact one first', async (check, setup) => {
    await prefer(setup, address('ina'), address('amina'), address('zoe'))
    check.same(emails(await search(setup, 'ina@example.org')), [address('ina'), address('amina')])
    check.same(emails(await search(setup, 'example', 2)), [address('amina'), address('ina')])
    check.same(emails(await search(setup, 'example', 1)), [address('amina')])
    check.same(await search(setup, 'nobody'), [])
  })

  given('L1: %, _ and \\ in a part of an address stand for themselves', async (check, setup) => {
    await prefer(setup, address('a_b'), address('a%b'), address('axb'))
    check.same(emails(await search(setup, 'a_b')), [address('a_b')])
    check.same(emails(await search(setup, 'a%b')), [address('a%b')])
    check.same(await search(setup, 'a\\'), [])
  })

  given('L1: a person is found with preference and number of devices', async (check, setup) => {
    await prefer(setup, address('amina'))
    for (const n of [1, 2]) await done(setup.devices.attach(sampleDevice(n, { email: address('amina') })))
    const [found] = await search(setup, 'amina')
    check.same(
      [found?.user, found?.devices],
      [O.some({ email: address('amina'), lang: 'fr', subscribed: false, topics: [] }), 2],
    )
  })

  given('L1: people who only write posts, bind a client or are managers are found', async (check, setup) => {
    const author = { clientId: 'app' as ClientId, email: O.some(address('author')) }
    for (const n of [1, 2])
      await done(setup.feedItems.add({ item: sampleFeedItem(n), linksToImages: [], author }))
    await done(setup.clients.add({ ...sampleClient('app'), email: O.some(address('bound')) }, 'hash'))
    const ada = sampleManager('ada')
    await done(setup.managers.add(ada))
    const found = await search(setup, '@')
    check.same(emails(found), [ada.email, address('author'), address('bound')].sort())
    check.ok(found.every(({ user, devices }) => O.isNone(user) && devices === 0))
  })

  given(
    'K1, L1: a found person has a number that leads to the address until it is erased',
    async (check, setup) => {
      await prefer(setup, address('amina'), address('zoe'))
      const act = { actor: commandActor('test'), action: 'set-preference', at: LATER } as const
      await done(setup.users.prefer(address('zoe'), { lang: 'en' }, act))
      const { number: known } = await done(setup.personalData.find(address('zoe')))
      const [amina, zoe] = await search(setup, 'example')
      check.same(O.fromNullable(zoe?.number), known, 'the number of the records of changes')
      check.ok(amina?.number !== zoe?.number)
      check.same(await search(setup, 'example'), [amina, zoe], 'numbers stay')
      const number = amina?.number ?? 0
      check.same(await done(setup.personalData.addressOf(number)), O.some(address('amina')))
      check.same(await done(setup.personalData.addressOf(number + 1000)), O.none)
      await done(setup.personalData.erase(address('amina'), LATER))
      check.same(await done(setup.personalData.addressOf(number)), O.none)
      check.same(emails(await search(setup, 'amina')), [])
    },
  )
}
