import { MANAGER_NOW, sampleManager, sampleNotification, sampleSession } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { callerWith } from './fixtures/fixture.ts'

/** A use case that takes no caller: of commands, of jobs, and of requests that have no caller yet. */
const NO_CALLER = 'no caller'

type Taking<Parameter> = Extract<Parameter, domain.Caller | domain.ActiveSession>

/** For each use case what it asks of its caller: scope, role and presence, or a session and presence. */
type Table<Areas> = {
  readonly [Name in keyof Areas]: Areas[Name] extends (
    ...given: infer Given
  ) => TE.TaskEither<unknown, unknown>
    ? [Taking<Given[number]>] extends [never]
      ? typeof NO_CALLER
      : string
    : Table<Areas[Name]>
}

/** Every use case. A new one does not compile, and fails the test, before it is listed here. */
const USE_CASES: Table<domain.AlmonerAreas> = {
  library: {
    list: 'user',
    check: 'content-manager',
    create: 'content-manager',
    update: 'content-manager',
    uploadImage: 'content-manager',
    removeImage: 'content-manager',
    placeImage: 'content-manager',
    linkTranslation: 'content-manager',
    unlinkTranslation: 'content-manager',
    checkTranslations: NO_CALLER,
  },
  feed: {
    list: 'user',
    ownPosts: 'user-donor',
    earlierPosts: 'content-manager',
    check: 'content-manager',
    create: 'user-donor',
    update: 'content-manager',
    uploadImage: 'user',
    removeImage: 'content-manager',
    placeImage: 'content-manager',
  },
  history: {
    library: {
      list: 'content-manager',
      restore: 'content-manager',
      undo: 'content-manager',
      delete: 'content-manager',
      undoDeletion: 'content-manager',
    },
    feed: {
      list: 'content-manager',
      restore: 'content-manager',
      undo: 'content-manager',
      delete: 'content-manager',
      undoDeletion: 'content-manager',
    },
  },
  labels: {
    library: { list: 'user', attach: 'content-manager', detach: 'content-manager' },
    feed: { list: 'user', attach: 'content-manager', detach: 'content-manager' },
    load: NO_CALLER,
  },
  changes: { list: 'user', watch: NO_CALLER },
  users: {
    getPreference: 'user-donor',
    setPreference: 'user-donor',
    import: NO_CALLER,
    erase: 'user-donor, user-manager, presence',
    find: 'user-donor, user-manager',
    show: 'user-donor, user-manager',
    export: 'user-donor, user-manager, presence',
    eraseByNumber: 'user-donor, user-manager, presence',
    listPosts: 'user-donor, user-manager',
    listInbox: 'user',
    markSeen: 'user',
  },
  devices: {
    list: 'user-donor, presence',
    attach: 'user-donor',
    detach: 'user-donor',
  },
  notifications: {
    list: 'content-manager',
    schedule: 'content-manager, presence from 1000 devices',
    change: 'content-manager, presence from 1000 devices',
    remove: 'content-manager',
    reportDelivery: 'content-manager',
    preview: NO_CALLER,
    review: NO_CALLER,
  },
  portfolio: {
    show: 'user',
    organizations: 'user',
    sectors: 'user',
    organizationSectors: 'user',
    introductions: 'user',
    summaries: 'user',
    programs: 'user',
    challenges: 'user',
    datasets: 'user',
    plan: NO_CALLER,
    load: NO_CALLER,
    checkTexts: NO_CALLER,
    textFindings: 'content-manager',
    export: 'content-manager',
    review: 'content-manager',
    replace: 'content-manager, presence',
  },
  access: {
    addClient: NO_CALLER,
    withdrawClient: NO_CALLER,
    rotateSecret: NO_CALLER,
    listClients: 'content-manager, super-admin',
    registerClient: 'content-manager, super-admin, presence',
    rotateClient: 'content-manager, super-admin, presence',
    disableClient: 'content-manager, super-admin, presence',
    checkCredentials: NO_CALLER,
    issueToken: NO_CALLER,
    exchangeToken: NO_CALLER,
    authenticate: NO_CALLER,
    revokeToken: NO_CALLER,
  },
  console: {
    addManager: NO_CALLER,
    createSignInLink: NO_CALLER,
    signIn: NO_CALLER,
    findSession: NO_CALLER,
    signOut: NO_CALLER,
    listCopies: 'content-manager',
    getCopy: 'content-manager',
    putCopy: 'content-manager',
    previewLibraryItem: 'content-manager',
    previewFeedItem: 'content-manager',
    readPreview: NO_CALLER,
    deleteCopy: 'content-manager',
    storeCopyImage: 'content-manager',
    listPeople: 'content-manager',
    showDesk: 'content-manager',
    listDeadLinks: 'content-manager',
    listOlder: 'content-manager',
    listPublications: 'content-manager',
    showPublished: 'content-manager',
    showResults: 'content-manager',
    showLibraryReaders: 'content-manager',
    showFeedReaders: 'content-manager',
    showSchedule: 'content-manager',
    showNotification: 'content-manager',
    withdrawNotification: 'content-manager',
    previewDraft: 'content-manager',
    listTestDevices: 'content-manager',
    sendTestPush: 'content-manager',
  },
  managers: {
    list: 'content-manager, super-admin',
    invite: 'content-manager, super-admin, presence',
    inviteAgain: 'content-manager, super-admin, presence',
    showLink: NO_CALLER,
    setAccess: 'content-manager, super-admin, presence',
    removePassword: 'content-manager, super-admin, presence',
    listPasskeys: 'content-manager, super-admin',
    removePasskey: 'content-manager, super-admin, presence',
    listSessions: 'content-manager, super-admin',
    endSessions: 'content-manager, super-admin, presence',
    listOwnSessions: 'session',
    endOtherSessions: 'session',
    showWaitingFeed: 'session',
    makeWaitingFeed: 'session',
    removeWaitingFeed: 'session',
    readWaitingFeed: NO_CALLER,
  },
  operations: {
    findings: 'content-manager, super-admin',
    providers: 'content-manager, super-admin',
    pauseProvider: 'content-manager, super-admin',
    resumeProvider: 'content-manager, super-admin, presence',
    statistics: 'content-manager, super-admin',
    figures: 'content-manager, super-admin',
    audit: 'content-manager, super-admin',
    titles: 'content-manager, super-admin',
  },
  passkeys: {
    list: 'session',
    start: 'session, presence',
    add: 'session, presence',
    rename: 'session',
    remove: 'session, presence',
    startSignIn: NO_CALLER,
    signIn: NO_CALLER,
  },
  identities: {
    list: 'content-manager',
    unlink: 'content-manager, super-admin, presence',
    startSignIn: NO_CALLER,
    signIn: NO_CALLER,
  },
  proposals: {
    list: 'content-manager',
    show: 'content-manager',
    propose: 'content-manager',
    change: 'content-manager',
    storeImage: 'content-manager',
    publish: 'content-manager',
    discard: 'content-manager',
    undo: 'content-manager',
  },
  passwords: {
    show: 'session',
    start: 'session, presence',
    set: 'session, presence',
    change: 'session, presence',
    renewRecoveryCodes: 'session, presence',
    remove: 'session, presence',
    signIn: NO_CALLER,
  },
  maintenance: {
    runSchedules: NO_CALLER,
    checkLinks: NO_CALLER,
    listCheckedLinks: NO_CALLER,
    runProposals: NO_CALLER,
    purgeProposals: NO_CALLER,
    purgeDeletedDrafts: NO_CALLER,
    purgeTokens: NO_CALLER,
    purgeSessions: NO_CALLER,
    purgeCopies: NO_CALLER,
    purgeDeadDevices: NO_CALLER,
    purgeDeliveries: NO_CALLER,
    purgePreferences: NO_CALLER,
    purgeEndedNotifications: NO_CALLER,
    purgeHistory: NO_CALLER,
    sweepImages: NO_CALLER,
    countOrphans: NO_CALLER,
    matchStorage: NO_CALLER,
    adoptStorage: NO_CALLER,
  },
}

/** The age at which a proof of presence is too old, in milliseconds (M4). */
const TOO_OLD = 5 * 60_000

const EMAIL = 'other@example.org' as domain.Email

/** Parameters with which each use case comes to all of its checks. */
const PARAMETERS = {
  email: EMAIL,
  lang: 'en',
  title: 'A well',
  date: O.some(MANAGER_NOW),
  include: [],
  contentType: 'library',
  fields: {},
  device_token: 'fcm:1',
}

/** All use cases on ports in memory, where a notification reaches a number of devices. */
const reaching = (fcm: number) => {
  const ports = memoryPorts({ clock: setClock(MANAGER_NOW) })
  const audience = () => TE.right({ fcm, apns: 0, webpush: 0, unroutable: 0 })
  const scheduled = { notification: sampleNotification(1), progress: O.none }
  const find = () => TE.right(O.some(scheduled))
  return domain.createAlmoner({
    ...ports,
    devices: { ...ports.devices, audience },
    notifications: { ...ports.notifications, find },
  })
}

type UseCase = (...given: ReadonlyArray<unknown>) => () => Promise<E.Either<unknown, unknown>>

interface Refusal {
  readonly _tag: string
  readonly scope?: domain.Scope
  readonly role?: domain.Role
}

const REFUSALS = ['InsufficientScope', 'InsufficientRole', 'PresenceRequired']

/** Returns how a use case refuses what it is given; undefined if it comes to its work, even if that fails. */
const refusalOf = async (
  useCase: UseCase,
  ...given: ReadonlyArray<unknown>
): Promise<Refusal | undefined> => {
  try {
    const result = await useCase(...given)()
    if (E.isRight(result)) return undefined
    const refusal = result.left as Refusal
    return REFUSALS.includes(refusal._tag) ? refusal : undefined
  } catch {
    return undefined
  }
}

const aged = (age: number) => ({ confirmedAt: domain.addMillis(MANAGER_NOW, -age) })

/** A caller of a session with these rights, who has proved presence some time ago. */
const callerOf = (scopes: ReadonlyArray<domain.Scope>, roles: ReadonlyArray<domain.Role>, age = 0) => ({
  ...callerWith(scopes, roles, 'ada@example.org'),
  ...aged(age),
})

const everything = (age: number) => callerOf(['content-manager'], domain.ROLES, age)

const sessionOf = (age: number): domain.ActiveSession => {
  const manager = { ...sampleManager('ada'), duty: 'operator' } as const
  return { manager, number: 1, session: { ...sampleSession(1, manager), ...aged(age) } }
}

/** Finds out by calls what a use case asks of a caller. */
const foundOut = async (useCase: UseCase, ofLarge: UseCase): Promise<string> => {
  const ask = (caller: domain.Caller, of = useCase) =>
    refusalOf(of, caller, PARAMETERS, new Uint8Array(), undefined)
  const [scope, role] = [await ask(callerOf([], [])), await ask(callerOf(['content-manager'], []))]
  const [small, large] = [await ask(everything(TOO_OLD)), await ask(everything(TOO_OLD), ofLarge)]
  const sized = small === undefined ? 'presence from 1000 devices' : 'presence'
  const parts = [scope?.scope, role?.role, large?._tag === 'PresenceRequired' ? sized : undefined]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** Asks with a session in the first place, and after a checker of passkeys or passwords. */
const askWithSession = async (useCase: UseCase, age: number): Promise<Refusal | undefined> =>
  (await refusalOf(useCase, sessionOf(age), PARAMETERS)) ??
  (await refusalOf(useCase, {}, sessionOf(age), PARAMETERS))

const ofSession = async (useCase: UseCase): Promise<string> =>
  (await askWithSession(useCase, TOO_OLD))?._tag === 'PresenceRequired' ? 'session, presence' : 'session'

interface Areas {
  readonly [name: string]: Areas | UseCase
}

/** Replaces each use case by what calls find out. */
const found = async (rows: object, areas: object, large: object): Promise<object> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(areas as Areas).map(async ([name, member]) => {
        const row = (rows as Record<string, object | string>)[name]
        const ofLarge = (large as Areas)[name] as UseCase
        if (typeof member !== 'function') return [name, await found((row ?? {}) as object, member, ofLarge)]
        if (row === NO_CALLER) return [name, row]
        const isOfSession = typeof row === 'string' && row.startsWith('session')
        return [name, await (isOfSession ? ofSession(member) : foundOut(member, ofLarge))]
      }),
    ),
  )

const areasOf = ({ promises: _promises, ports: _ports, policy: _policy, ...areas }: domain.Almoner) => areas

const leaves = (areas: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(areas).flatMap(([name, member]) =>
    typeof member === 'object'
      ? leaves(member as object).map(([inner, leaf]) => [`${name}.${inner}`, leaf] as const)
      : [[name, member] as const],
  )

const [SMALL, LARGE] = [areasOf(reaching(999)), areasOf(reaching(1000))]

t.test('M10, A2, M2: what every use case asks of its caller: scope, role, presence', async (t) => {
  t.strictSame(await found(USE_CASES, SMALL, LARGE), USE_CASES)
})

t.test('M10: who meets all requirements is refused by no use case; a client needs no presence', async (t) => {
  const rows = new Map(leaves(USE_CASES))
  const client = callerWith(['content-manager'], domain.ROLES, 'ada@example.org')
  for (const [name, useCase] of leaves(LARGE) as ReadonlyArray<readonly [string, UseCase]>) {
    const row = String(rows.get(name))
    if (row === NO_CALLER) continue
    if (row.startsWith('session')) t.equal(await askWithSession(useCase, TOO_OLD - 1), undefined, name)
    else
      for (const caller of [everything(TOO_OLD - 1), client])
        t.equal(await refusalOf(useCase, caller, PARAMETERS, new Uint8Array(), undefined), undefined, name)
  }
})

t.test('M3, M10: one’s own account of an identity provider is unlinked without a role', async (t) => {
  const unlink = LARGE.identities.unlink as UseCase
  const own = { email: 'ada@example.org' }
  const editor = (age: number) => callerOf(['content-manager'], [], age)
  t.match(await refusalOf(unlink, editor(TOO_OLD), own), { _tag: 'PresenceRequired' })
  t.equal(await refusalOf(unlink, editor(0), own), undefined)
})

t.test('M10: scope comes before role, and role before presence', async (t) => {
  const erase = LARGE.users.erase as UseCase
  const given = { email: EMAIL }
  t.match(await refusalOf(erase, callerOf(['user'], [], TOO_OLD), given), { _tag: 'InsufficientScope' })
  t.match(await refusalOf(erase, callerOf(['user-donor'], [], TOO_OLD), given), { role: 'user-manager' })
})

t.test('J4: authors of posts are for content managers', async (t) => {
  const list = LARGE.feed.list as UseCase
  const given = { ...PARAMETERS, include: ['author'], itemId: O.none }
  t.match(await refusalOf(list, callerOf(['user-donor'], []), given), { scope: 'content-manager' })
})
