import {
  makeListTestDevices,
  makeSendTestPush,
  makeShowNotification,
  makeShowSchedule,
} from '../delivery/reports.ts'
import { makeFindSession, makeSignIn, makeSignOut } from '../managers/signing-in.ts'
import { makeAddManager, makeCreateSignInLink, makeListPeople } from '../managers/use-cases.ts'
import { makeDeleteCopy, makeGetCopy, makeListCopies, makePutCopy } from '../managers/working-copies.ts'
import { makePreviewDraft } from '../notifications/previews.ts'
import { makeWithdrawNotification } from '../notifications/use-cases.ts'
import {
  makeShowDesk,
  makeShowFeedReaders,
  makeShowLibraryReaders,
  makeShowPublished,
} from '../operations/desk.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Managers, and their way into the console. */
export interface ConsoleArea {
  /**
   * Adds a manager, and returns the secret of a link that signs in once within 24 hours (M2). For operators: checks no caller.
   * Fails with ManagerDisabled, ManagerExists, ManagerNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.addManager(editor)
   * ```
   */
  readonly addManager: ReturnType<typeof makeAddManager>
  /**
   * Makes a link that signs a manager in once, within 24 hours or the number of seconds given (M2). For operators: checks no caller.
   * Fails with ManagerDisabled, ManagerNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.createSignInLink(editor.email)
   * ```
   */
  readonly createSignInLink: ReturnType<typeof makeCreateSignInLink>
  /**
   * Opens a session for the secret of a link, which works once (M3, M4). Limits wrong ones by address (A8).
   * Fails with InvalidLink, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.signIn({ secret, address: '192.0.2.1', browser: 'Firefox' })
   * ```
   */
  readonly signIn: ReturnType<typeof makeSignIn>
  /**
   * Returns the session behind a secret with its manager, and puts its idle end off (M4).
   * Fails with NoSession, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.findSession(secret)
   * ```
   */
  readonly findSession: ReturnType<typeof makeFindSession>
  /**
   * Ends the session behind a secret everywhere (M4). An unknown one changes nothing.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.signOut(secret)
   * ```
   */
  readonly signOut: ReturnType<typeof makeSignOut>
  /**
   * Lists the working copies of the caller, a manager, with the latest change first and without fields (M7).
   * Fails with InsufficientScope, NoActingUser, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.listCopies(manager, {})
   * ```
   */
  readonly listCopies: ReturnType<typeof makeListCopies>
  /**
   * Returns a working copy of the caller, a manager (M7).
   * Fails with CopyNotFound, InsufficientScope, NoActingUser, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.getCopy(manager, { key: copyKey })
   * ```
   */
  readonly getCopy: ReturnType<typeof makeGetCopy>
  /**
   * Stores what the caller, a manager, has typed and not saved, whether or not it is valid, for 90 days (M7). The item stays as it is.
   * Fails with InsufficientScope, NoActingUser, NoSession, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.putCopy(manager, { key: copyKey, contentType: 'library', fields: { itemTitle: 'Water' } })
   * ```
   */
  readonly putCopy: ReturnType<typeof makePutCopy>
  /**
   * Deletes a working copy of the caller, a manager; an unknown key changes nothing (M7).
   * Fails with InsufficientScope, NoActingUser, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.deleteCopy(manager, { key: copyKey })
   * ```
   */
  readonly deleteCopy: ReturnType<typeof makeDeleteCopy>
  /**
   * Lists the names of managers by the numbers under which the history records them, without addresses (K1).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.listPeople(manager, {})
   * ```
   */
  readonly listPeople: ReturnType<typeof makeListPeople>
  /**
   * Returns what waits for content managers: posts, translations, and the notifications of today and the last seven days (J7, G7).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showDesk(manager, {})
   * ```
   */
  readonly showDesk: ReturnType<typeof makeShowDesk>
  /**
   * Returns the Live items of the last twelve months by language, the oldest month first; at most a minute old (B8).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showPublished(manager, {})
   * ```
   */
  readonly showPublished: ReturnType<typeof makeShowPublished>
  /**
   * Returns for each scope and language whether its readers get a publication today (A3, C9).
   * Fails with InsufficientScope, ItemNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showLibraryReaders(manager, { itemId: item.id })
   * ```
   */
  readonly showLibraryReaders: ReturnType<typeof makeShowLibraryReaders>
  /**
   * Returns for each scope and language whether its readers get a post (A3).
   * Fails with InsufficientScope, ItemNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showFeedReaders(manager, { itemId: item.id })
   * ```
   */
  readonly showFeedReaders: ReturnType<typeof makeShowFeedReaders>
  /**
   * Returns the notifications whose date is in a range of days, with their delivery (G5, G7).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showSchedule(manager, { from: today, to: today })
   * ```
   */
  readonly showSchedule: ReturnType<typeof makeShowSchedule>
  /**
   * Shows a notification as it was written, with its publication, so that it can be written again (G2, G7).
   * Fails with InsufficientScope, NotificationNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.showNotification(manager, { id: notification.id })
   * ```
   */
  readonly showNotification: ReturnType<typeof makeShowNotification>
  /**
   * Deletes a notification that no review has started; one that is started stays (G3, G4).
   * Fails with InsufficientScope, NotificationNotFound, NotificationStarted, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * await almoner.promises.console.withdrawNotification(manager, { id: notification.id })
   * ```
   */
  readonly withdrawNotification: ReturnType<typeof makeWithdrawNotification>
  /**
   * Returns message, size and recipients of a notification that is being written, and why it could not be created; sends nothing (G2, G6).
   * Fails with InsufficientScope, ResourceNotFound, RightsEnded, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.previewDraft(manager, { lang: 'en' })
   * ```
   */
  readonly previewDraft: ReturnType<typeof makePreviewDraft>
  /**
   * Lists the devices of the caller's own address, for test pushes (F4).
   * Fails with InsufficientScope, NoActingUser, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.listTestDevices(manager, {})
   * ```
   */
  readonly listTestDevices: ReturnType<typeof makeListTestDevices>
  /**
   * Sends a draft to one of the caller's own devices now; stores nothing (F4, G5).
   * Fails with DeviceNotFound, InsufficientScope, NoActingUser, ResourceNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.sendTestPush(manager, { lang: 'en', device: 1 })
   * ```
   */
  readonly sendTestPush: ReturnType<typeof makeSendTestPush>
}

/** Binds the use cases of managers and sessions to ports and a policy. */
export const makeConsoleArea = (ports: Ports, policy: Policy): ConsoleArea => ({
  addManager: makeAddManager(ports),
  createSignInLink: makeCreateSignInLink(ports),
  signIn: makeSignIn(ports, policy),
  findSession: makeFindSession(ports, policy),
  signOut: makeSignOut(ports),
  listCopies: makeListCopies(ports),
  getCopy: makeGetCopy(ports),
  putCopy: makePutCopy(ports),
  deleteCopy: makeDeleteCopy(ports),
  listPeople: makeListPeople(ports),
  showDesk: makeShowDesk(ports, policy),
  showPublished: makeShowPublished(ports, policy),
  showLibraryReaders: makeShowLibraryReaders(ports, policy),
  showFeedReaders: makeShowFeedReaders(ports, policy),
  showSchedule: makeShowSchedule(ports, policy),
  showNotification: makeShowNotification(ports),
  withdrawNotification: makeWithdrawNotification(ports),
  previewDraft: makePreviewDraft(ports, policy),
  listTestDevices: makeListTestDevices(ports),
  sendTestPush: makeSendTestPush(ports, policy),
})
