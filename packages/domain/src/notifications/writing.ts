import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, receiptFrom, type TimedAct } from '../access/acts.ts'
import {
  type Caller,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  requirePresence,
} from '../access/caller.ts'
import type { LabelNotFound, Precondition } from '../content/model.ts'
import { COUNTERPART_NOT_FOUND, type CounterpartNotFound } from '../content/rules.ts'
import type { DeviceKind } from '../people/destinations.ts'
import { ItemId, LabelId, NotificationId } from '../values/ids.ts'
import { type FieldError, parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { clearable, type Refined, Refined as RefinedCodec, refined } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import {
  type Announcement,
  type AnnouncementEdit,
  type AnnouncementFault,
  type ChangedAnnouncement,
  changeAnnouncement,
  tieFaults,
} from './announcements.ts'
import { linksOf, type NotificationView } from './links.ts'
import {
  DueDate,
  MessageText,
  messageOf,
  NO_LINKS,
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationLinks,
  type NotificationNotFound,
  OptionalMessageText,
  RESOURCE_NOT_FOUND,
  type ResourceNotFound,
  ResourceType,
} from './model.ts'
import type { NotificationPolicy, NotificationPorts } from './ports.ts'
import { sizeFaults } from './push.ts'
import { Both } from './use-cases.ts'

type WriteNeeds =
  | 'notifications'
  | 'libraryItems'
  | 'mediaAddresses'
  | 'ids'
  | 'pushGateway'
  | 'clock'
  | 'devices'

type WritePorts = Pick<NotificationPorts, WriteNeeds>
type LookPolicy = Pick<NotificationPolicy, 'look'>

/** The links that the related item gives, which must exist (G2). */
const relatedLinks = (
  ports: WritePorts,
  resourceId: O.Option<ItemId>,
): TE.TaskEither<ResourceNotFound | Unavailable, NotificationLinks> =>
  O.isNone(resourceId)
    ? TE.right(NO_LINKS)
    : pipe(
        linksOf(ports, resourceId.value),
        TE.flatMap(TE.fromOption((): ResourceNotFound | Unavailable => RESOURCE_NOT_FOUND)),
      )

/** The links that a stored resource gives: none if it no longer exists (G1). */
const linksNow = (
  ports: WritePorts,
  resourceId: O.Option<ItemId>,
): TE.TaskEither<Unavailable, NotificationLinks> =>
  O.isNone(resourceId)
    ? TE.right(NO_LINKS)
    : TE.map(O.getOrElse(() => NO_LINKS))(linksOf(ports, resourceId.value))

/** Returns the errors of texts that make the payload too large for a provider (G6). */
const payloadFaults = (
  { pushGateway }: WritePorts,
  { notification, links }: NotificationView,
  { look }: LookPolicy,
): ReadonlyArray<FieldError> => {
  const message = messageOf(notification, links, look)
  return sizeFaults(pushGateway.bytesOf(message), message)
}

const rejected = (faults: ReadonlyArray<FieldError>): E.Either<ValidationFailed, void> => {
  const [first, ...rest] = faults
  return first === undefined ? E.right(undefined) : E.left(validationFailed([first, ...rest]))
}

/** Devices from which on a person must prove presence to schedule a notification (M4). */
export const LARGE_PUSH = 1000

const isLarge = (audience: Readonly<Record<DeviceKind, number>>): boolean =>
  Object.values(audience).reduce((sum, devices) => sum + devices, 0) >= LARGE_PUSH

/** Lets a person schedule large pushes only with a recent proof of presence (M4). Clients of the API need none. */
const checkPresence = (
  { clock, devices }: WritePorts,
  caller: Caller,
  notifications: ReadonlyArray<Pick<Notification, 'date' | 'lang' | 'labelId'>>,
): TE.TaskEither<PresenceRequired | Unavailable, void> => {
  const proved = requirePresence(clock.now())(caller)
  if (E.isRight(proved)) return TE.right(undefined)
  return pipe(
    notifications.filter(({ date }) => O.isSome(date)),
    TE.traverseSeqArray((audience) => devices.audience(audience)),
    TE.flatMap(
      (audiences): TE.TaskEither<PresenceRequired | Unavailable, void> =>
        audiences.some(isLarge) ? TE.left(proved.left) : TE.right(undefined),
    ),
  )
}

/** Parameters of POST /notification. */
export const CreateNotification = parameters({
  name: 'CreateNotification',
  required: { lang: Language, title: MessageText, resource_type: ResourceType },
  optional: {
    subtitle: OptionalMessageText,
    description: OptionalMessageText,
    date: DueDate,
    resource_id: ItemId,
    counterpartId: NotificationId,
    labelId: LabelId,
  },
})
export type CreateNotification = typeof CreateNotification._A

type CreateFault =
  | CounterpartNotFound
  | LabelNotFound
  | PresenceRequired
  | ResourceNotFound
  | Unavailable
  | ValidationFailed

/** Returns the faults of a tie to a notification, which must exist (G14). The store decides again in its transaction. */
const faultsOfTie = (
  { notifications }: WritePorts,
  notification: Notification,
  counterpartId: NotificationId | undefined,
): TE.TaskEither<CounterpartNotFound | Unavailable, ReadonlyArray<FieldError>> =>
  counterpartId === undefined
    ? TE.right([])
    : pipe(
        notifications.find(counterpartId),
        TE.flatMap(TE.fromOption((): CounterpartNotFound | Unavailable => COUNTERPART_NOT_FOUND)),
        TE.map((found) => tieFaults(notification, found.notification)),
      )

/** Reads what a new notification relates to, and rejects it with its faults. */
const viewOf =
  (
    ports: WritePorts,
    policy: LookPolicy,
    notification: Notification,
    counterpartId: NotificationId | undefined,
  ): TE.TaskEither<CreateFault, NotificationView> =>
  async () => {
    const links = await relatedLinks(ports, notification.resourceId)()
    if (E.isLeft(links)) return links
    const tie = await faultsOfTie(ports, notification, counterpartId)()
    if (E.isLeft(tie)) return tie
    const view = { notification, links: links.right }
    const all = rejected([...payloadFaults(ports, view, policy), ...tie.right])
    return E.isLeft(all) ? all : E.right(view)
  }

/** Schedules a notification for its date, tied to its counterpart; without a date it is never sent (G2, G4, G6, G14). */
export const makeCreateNotification =
  (ports: WritePorts, policy: LookPolicy) =>
  (
    caller: Caller,
    command: CreateNotification,
    receipt?: Receipt<NotificationView>,
  ): TE.TaskEither<InsufficientScope | CreateFault, NotificationView> =>
    permitted(
      'createNotification',
      caller,
    )(() => {
      const notification: Notification = {
        id: ports.ids.nextNotificationId(),
        revision: 1,
        lang: command.lang,
        title: command.title,
        subtitle: O.fromNullable(command.subtitle),
        description: O.fromNullable(command.description),
        date: O.fromNullable(command.date),
        resourceId: O.fromNullable(command.resource_id),
        labelId: O.fromNullable(command.labelId),
      }
      const act: TimedAct = { actor: caller.actor, action: 'create-notification', at: ports.clock.now() }
      const { counterpartId } = command
      return async (): Promise<E.Either<CreateFault, NotificationView>> => {
        const proved = await checkPresence(ports, caller, [notification])()
        if (E.isLeft(proved)) return proved
        const found = await viewOf(ports, policy, notification, counterpartId)()
        if (E.isLeft(found)) return found
        const kept = receiptFrom(receipt, () => found.right)
        const added = await ports.notifications.add(notification, kept, act, counterpartId)()
        return E.isLeft(added) ? added : found
      }
    })

/** A codec that rejects an empty text by its own rule, where others take it as absent (B2). */
const withoutEmpty = <A>({ name, is, validate, facets }: Refined<A>): Refined<A> =>
  new RefinedCodec(name, is, validate, { ...facets, emptyHasMeaning: true })

/** `subtitle`, `description` of a change: a blank text clears the stored one (G13). */
const ClearableMessageText = refined<O.Option<MessageText>>(
  'ClearableMessageText',
  (text) =>
    pipe(
      OptionalMessageText.decode(text),
      E.bimap((errors) => errors[0]?.message ?? 'is not valid', O.fromNullable),
    ),
  { ...OptionalMessageText.facets, emptyHasMeaning: true },
)

/** Parameters of POST /notification/<notificationId>: absent ones change nothing, an empty text clears (G13). */
export const ChangeNotification = parameters({
  name: 'ChangeNotification',
  required: { id: NotificationId },
  optional: {
    lang: withoutEmpty(Language),
    title: withoutEmpty(MessageText),
    subtitle: ClearableMessageText,
    description: ClearableMessageText,
    date: clearable('ClearableDueDate', DueDate),
    resource_id: clearable('ClearableResourceId', ItemId),
    resource_type: ResourceType,
    counterpartId: clearable('ClearableCounterpartId', NotificationId),
    labelId: clearable('ClearableLabelId', LabelId),
    both: Both,
  },
})
export type ChangeNotification = typeof ChangeNotification._A

type ChangeFault = AnnouncementFault | CreateFault | NotificationNotFound

/** Another change has given the notification another publication since its links were read: they are read again. */
interface ResourceChanged {
  readonly _tag: 'ResourceChanged'
}

const editOf = ({ both, resource_id, ...edit }: ChangeNotification): AnnouncementEdit => ({
  ...edit,
  resourceId: resource_id,
  both: both === 'true',
})

/** Returns the notifications that are scheduled after an edit, as far as they are now: the presence of a person is checked before (M4). */
const scheduledBy = (
  ports: WritePorts,
  own: Notification,
  edit: AnnouncementEdit,
): TE.TaskEither<Unavailable, ReadonlyArray<Pick<Notification, 'date' | 'lang' | 'labelId'>>> => {
  const after = {
    lang: edit.lang ?? own.lang,
    labelId: edit.labelId ?? own.labelId,
    date: edit.date ?? own.date,
  }
  const { both, date } = edit
  return !both || date === undefined
    ? TE.right([after])
    : TE.map((found: ReadonlyMap<NotificationId, { readonly notification: Notification }>) => [
        after,
        ...[...found.values()].map(({ notification: { lang, labelId } }) => ({ lang, labelId, date })),
      ])(ports.notifications.counterparts([own.id]))
}

/**
 * Changes a notification in one step until a review takes it up, and with `both` the date of its counterpart (G13, G14). Honours the writer's
 * expectation (C10).
 */
export const makeChangeNotification =
  (ports: WritePorts, policy: LookPolicy) =>
  (
    caller: Caller,
    command: ChangeNotification,
    expected: Precondition,
    receipt?: Receipt<NotificationView>,
  ): TE.TaskEither<InsufficientScope | ChangeFault, NotificationView> => {
    const { id } = command
    const edit = editOf(command)
    const act: TimedAct = { actor: caller.actor, action: 'change-notification', at: ports.clock.now() }
    const write = (
      resourceId: O.Option<ItemId>,
      links: NotificationLinks,
    ): TE.TaskEither<ChangeFault | ResourceChanged, NotificationView> => {
      type Decided = E.Either<ChangeFault | ResourceChanged, ChangedAnnouncement>
      const view = (notification: Notification): NotificationView => ({ notification, links })
      const decide = (found: Announcement): Decided =>
        pipe(
          changeAnnouncement(edit, expected)(found),
          E.flatMap(({ counterpart, ...changed }): Decided => {
            const { own } = changed
            if (O.toUndefined(own.resourceId) !== O.toUndefined(resourceId))
              return E.left({ _tag: 'ResourceChanged' })
            const ties = O.isSome(counterpart) ? tieFaults(own, counterpart.value.notification) : []
            return pipe(
              rejected([...payloadFaults(ports, view(own), policy), ...ties]),
              E.map(() => changed),
            )
          }),
        )
      const counterpartId = edit.counterpartId ?? O.none
      return pipe(
        ports.notifications.change(
          id,
          { counterpartId, labelId: edit.labelId ?? O.none, decide },
          receiptFrom(receipt, view),
          act,
        ),
        TE.map(view),
      )
    }
    const attempt = (): TE.TaskEither<ChangeFault, NotificationView> =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): ChangeFault => NOTIFICATION_NOT_FOUND)),
        TE.flatMap(({ notification }): TE.TaskEither<ChangeFault, NotificationView> => {
          const resourceId = edit.resourceId ?? notification.resourceId
          return pipe(
            scheduledBy(ports, notification, edit),
            TE.flatMap(
              (scheduled): TE.TaskEither<ChangeFault, void> => checkPresence(ports, caller, scheduled),
            ),
            TE.flatMap(
              (): TE.TaskEither<ChangeFault, NotificationLinks> =>
                edit.resourceId === undefined ? linksNow(ports, resourceId) : relatedLinks(ports, resourceId),
            ),
            TE.flatMap((links) => write(resourceId, links)),
            TE.orElse(
              (fault): TE.TaskEither<ChangeFault, NotificationView> =>
                fault._tag === 'ResourceChanged' ? attempt() : TE.left(fault),
            ),
          )
        }),
      )
    return permitted('changeNotification', caller)(attempt)
  }
