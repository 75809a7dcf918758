import { isDeepStrictEqual } from 'node:util'
import type { Check } from '@almoner/testkit/contracts'
import t from 'tap'
import { ACCESS_FAULTS } from './faulty/access.ts'
import { CHANGES_FAULTS } from './faulty/changes.ts'
import { CLIENT_FAULTS } from './faulty/clients.ts'
import { CONTENT_FAULTS } from './faulty/content.ts'
import { CREDENTIAL_FAULTS } from './faulty/credentials.ts'
import { DELIVERY_FAULTS } from './faulty/deliveries.ts'
import { DEVICE_FAULTS } from './faulty/devices.ts'
import type { Fault, Faults } from './faulty/faults.ts'
import { HISTORY_FAULTS } from './faulty/history.ts'
import { ID_TOKEN_FAULTS } from './faulty/id-tokens.ts'
import { IMAGE_CHECKER_FAULTS } from './faulty/image-checkers.ts'
import { IMAGE_FILE_FAULTS } from './faulty/image-files.ts'
import { IMAGE_FAULTS } from './faulty/images.ts'
import { INBOX_FAULTS } from './faulty/inbox.ts'
import { ITEM_FAULTS } from './faulty/items.ts'
import { LABEL_FAULTS } from './faulty/labels.ts'
import { LINK_FAULTS } from './faulty/links.ts'
import { MANAGER_FAULTS } from './faulty/managers.ts'
import { NOTIFICATION_FAULTS } from './faulty/notifications.ts'
import { OPERATION_FAULTS } from './faulty/operations.ts'
import { PEOPLE_FAULTS } from './faulty/people.ts'
import { PERSONAL_DATA_FAULTS } from './faulty/personal-data.ts'
import { PORTFOLIO_FAULTS } from './faulty/portfolio.ts'
import { PROPOSAL_FAULTS } from './faulty/proposals.ts'
import { PROVIDER_FAULTS } from './faulty/providers.ts'
import { SESSION_FAULTS } from './faulty/sessions.ts'
import {
  type Adapters,
  type MakeAdapters,
  memoryAdapters,
  PORT_NAMES,
  type PortName,
  SUITES,
} from './faulty/suites.ts'

// Each adapter of this test has one fault. The contract suites must find it, by a test that is named for the fault.

const FAULTS: Faults<PortName> = {
  ...ACCESS_FAULTS,
  ...CHANGES_FAULTS,
  ...CLIENT_FAULTS,
  ...CONTENT_FAULTS,
  ...CREDENTIAL_FAULTS,
  ...DELIVERY_FAULTS,
  ...DEVICE_FAULTS,
  ...HISTORY_FAULTS,
  ...ID_TOKEN_FAULTS,
  ...INBOX_FAULTS,
  ...IMAGE_CHECKER_FAULTS,
  ...IMAGE_FAULTS,
  ...IMAGE_FILE_FAULTS,
  ...ITEM_FAULTS,
  ...LABEL_FAULTS,
  ...LINK_FAULTS,
  ...MANAGER_FAULTS,
  ...NOTIFICATION_FAULTS,
  ...OPERATION_FAULTS,
  ...PEOPLE_FAULTS,
  ...PERSONAL_DATA_FAULTS,
  ...PORTFOLIO_FAULTS,
  ...PROPOSAL_FAULTS,
  ...PROVIDER_FAULTS,
  ...SESSION_FAULTS,
}

type Body = (check: Check) => Promise<void>

/** Assertions that end a test at the first failure. */
const check: Check = {
  same: (actual, expected, message = 'should be the same') => {
    if (!isDeepStrictEqual(actual, expected)) throw new Error(message)
  },
  ok: (value, message = 'should hold') => {
    if (!value) throw new Error(message)
  },
}

/** Returns whether a test passes. An error of the language is a mistake in a faulty adapter, and finds no fault. */
const passes = async (body: Body): Promise<boolean> => {
  try {
    await body(check)
    return true
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error
    return false
  }
}

/** Returns the tests of all suites whose name contains a text, by suite and name. */
const testsNamed = (text: string, make: MakeAdapters): ReadonlyMap<string, Body> => {
  const found = new Map<string, Body>()
  for (const [suite, register] of Object.entries(SUITES))
    register((name, body) => {
      if (name.includes(text)) found.set(`${suite}: ${name}`, body)
    }, make)
  return found
}

const sound = new Map<string, boolean>()

/** Returns whether the memory adapters pass a test. */
const isSound = async (name: string, body: Body): Promise<boolean> => {
  const known = sound.get(name) ?? (await passes(body))
  sound.set(name, known)
  return known
}

/** Makes adapters of which one has a fault. */
const faultyAdapters =
  <Name extends PortName>(port: Name, [, spoil]: Fault<Adapters[Name]>): MakeAdapters =>
  (provider) => {
    const adapters = memoryAdapters(provider)
    return { ...adapters, [port]: { ...adapters[port], ...spoil(adapters[port], adapters) } }
  }

/** Returns the first of the tests that finds a fault. */
const finderOf = async (tests: ReadonlyMap<string, Body>): Promise<string | undefined> => {
  for (const [name, body] of tests) if (!(await passes(body))) return name
  return undefined
}

t.test('every port has faulty adapters, 60 or more in all', async (t) => {
  t.strictSame(Object.keys(FAULTS).sort(), [...PORT_NAMES].sort())
  const counts = PORT_NAMES.map((port) => Object.keys(FAULTS[port]).length)
  t.ok(counts.every((count) => count > 0))
  t.ok(counts.reduce((sum, count) => sum + count, 0) >= 60)
})

for (const port of PORT_NAMES)
  t.test(`the contract suites find each fault of an adapter of ${port}`, async (t) => {
    for (const [name, fault] of Object.entries(FAULTS[port]) as ReadonlyArray<[string, Fault<never>]>) {
      const [foundBy] = fault
      const soundTests = testsNamed(foundBy, memoryAdapters)
      t.ok(soundTests.size > 0, `${name}: there is a test “${foundBy}”`)
      for (const [test, body] of soundTests)
        t.ok(await isSound(test, body), `${name}: the memory adapter passes “${test}”`)
      t.ok(await finderOf(testsNamed(foundBy, faultyAdapters(port, fault as never))), name)
    }
  })
