import type { InsufficientScope, Unavailable, ValidationFailed } from '@almoner/domain'
import type { InsufficientRole, PresenceRequired, RightsEnded } from '@almoner/domain/access'
import type { CursorExpired } from '@almoner/domain/changes'
import type {
  CounterpartNotFound,
  HasCounterpart,
  IllegalTransition,
  ImageNeeded,
  ImageNotFound,
  ItemNotFound,
  LabelNotFound,
  NotDeletable,
  NotProposable,
  NotPublishable,
  PreconditionFailed,
  ProposalExists,
  ProposalNotFound,
  RevisionImageGone,
  RevisionNotFound,
  ScheduleConflict,
} from '@almoner/domain/content'
import type {
  CopyNotFound,
  IdentityNotFound,
  LastOperator,
  ManagerDisabled,
  ManagerExists,
  ManagerNotFound,
  NoPreviewUrl,
  NoSession,
  PasskeyNotFound,
  PasskeyNotStored,
  PasskeyRefused,
  PasswordNotFound,
} from '@almoner/domain/managers'
import { contentFaultText, type ImageFault, type ImageRule, UPLOAD_FIELD } from '@almoner/domain/media'
import type {
  NotificationNotFound,
  NotificationStarted,
  ResourceNotFound,
} from '@almoner/domain/notifications'
import type { DeviceNotFound, NoActingUser, UserNotFound } from '@almoner/domain/people'
import type { PortfolioChanged, UploadRefused } from '@almoner/domain/portfolio'
import type {
  ClientExists,
  ClientIsPublic,
  ClientNotFound,
  ErasureUnfinished,
  ImageMissing,
} from '@almoner/domain/ports'
import { fieldError, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  badRequest,
  busy,
  internalError,
  NO_SESSION,
  type Problem,
  scopeMissing,
  unknownOutcome,
} from './problem.ts'

/** The key was used for another request. */
export interface KeyReused {
  readonly _tag: 'KeyReused'
}

/** The first request with the key is still running. */
export interface KeyInUse {
  readonly _tag: 'KeyInUse'
}

/** Every way in which a use case of the API can fail. */
export type UseCaseFailure =
  | ClientExists
  | ClientIsPublic
  | ClientNotFound
  | CopyNotFound
  | CounterpartNotFound
  | CursorExpired
  | DeviceNotFound
  | ErasureUnfinished
  | HasCounterpart
  | IdentityNotFound
  | IllegalTransition
  | ImageFault
  | ImageMissing
  | ImageNeeded
  | ImageNotFound
  | InsufficientRole
  | InsufficientScope
  | ValidationFailed
  | KeyInUse
  | KeyReused
  | ItemNotFound
  | LabelNotFound
  | LastOperator
  | ManagerDisabled
  | ManagerExists
  | ManagerNotFound
  | NoPreviewUrl
  | NoSession
  | NotificationNotFound
  | NotificationStarted
  | NoActingUser
  | NotDeletable
  | NotProposable
  | NotPublishable
  | PasskeyNotFound
  | PasskeyNotStored
  | PasskeyRefused
  | PasswordNotFound
  | PresenceRequired
  | ProposalExists
  | ProposalNotFound
  | ResourceNotFound
  | RevisionImageGone
  | RevisionNotFound
  | RightsEnded
  | PortfolioChanged
  | ScheduleConflict
  | PreconditionFailed
  | Unavailable
  | UploadRefused
  | UserNotFound

const sizeOf = (rule: ImageRule): string =>
  rule.kind === 'exactly'
    ? `must be ${rule.height} pixels high and ${rule.width} wide`
    : `must have at most ${rule.side} pixels on a side`

const badImage = (message: string): Problem => ({
  code: 'invalid_image',
  detail: `The image ${message}.`,
  errors: [{ field: UPLOAD_FIELD, message }],
})

const ofAddress = (message: string): Problem =>
  badRequest('This is not possible for this manager.', [fieldError('email', message)])

const ofResponse = (message: string): Problem =>
  badRequest('The passkey is not stored.', [fieldError('response', message)])

const notFound = (what: string): Problem => ({ code: 'not_found', detail: `There is no such ${what}.` })

type Mapping = {
  readonly [Tag in UseCaseFailure['_tag']]: (
    failure: Extract<UseCaseFailure, { readonly _tag: Tag }>,
  ) => Problem
}

/** Exhaustive: a new failure does not compile until it is here. */
const MAPPING: Mapping = {
  ValidationFailed: ({ errors }) => badRequest('Some parameters are not valid.', errors),
  ClientExists: () =>
    badRequest('There is a client with this identifier.', [fieldError('clientId', 'is taken already')]),
  ClientNotFound: () => notFound('client'),
  ClientIsPublic: () =>
    badRequest('A public client has no secret.', [fieldError('clientId', 'is of a public client')]),
  CopyNotFound: () => notFound('working copy'),
  NoPreviewUrl: () => notFound('page of an app: ALMONER_PREVIEW_URL is not set'),
  ManagerNotFound: () => notFound('manager'),
  ManagerExists: () => ofAddress('is the address of a manager already'),
  ManagerDisabled: () => ofAddress('is the address of a disabled manager'),
  LastOperator: () => ({
    code: 'last_operator',
    detail: 'This is the last operator who is enabled. Make another manager an operator first.',
  }),
  ErasureUnfinished: ({ isDiskFull, cause }) => ({
    code: 'erasure_unfinished',
    detail: `The data is erased, and remains of it may still be in the files of the database. ${isDiskFull ? 'Its disk is full: make room, and repeat' : 'Repeat'} this to remove them.`,
    cause,
  }),
  NoSession: () => NO_SESSION,
  IdentityNotFound: () => notFound('linked account'),
  PasskeyNotFound: () => notFound('passkey'),
  PasskeyNotStored: () => ofResponse('is of a known passkey, or there are too many'),
  PasswordNotFound: () => notFound('password'),
  PasskeyRefused: () => ofResponse('does not fit the options, or is too late'),
  ItemNotFound: () => notFound('item'),
  CursorExpired: () => ({
    code: 'cursor_expired',
    detail: 'The cursor is too old, or of another service or kind of request. Begin again without since.',
  }),
  CounterpartNotFound: () => notFound('counterpart, or the item has none'),
  LabelNotFound: () => notFound('label, or the item does not have it'),
  ImageNotFound: () => notFound('image'),
  DeviceNotFound: () => notFound('device token, or the user does not hold it'),
  UserNotFound: () => notFound('user'),
  NotificationNotFound: () => notFound('notification'),
  NotificationStarted: () => ({
    code: 'notification_started',
    detail: 'The notification is being sent, or was sent. Delete it to stop what has not gone out.',
  }),
  ResourceNotFound: () => notFound('library item: resource_id names none'),
  RevisionNotFound: () => notFound('item, or it does not have this revision'),
  RevisionImageGone: ({ url }) => ({
    code: 'image_gone',
    detail: `The image ${url} no longer exists. Update the item with another image instead.`,
  }),
  // The request's own look has found this problem.
  RightsEnded: ({ reason }) => reason as Problem,
  InsufficientScope: ({ scope }) => scopeMissing(scope),
  InsufficientRole: ({ role }) => ({
    code: 'insufficient_role',
    detail: `This needs a token of a client with the role ${role}.`,
  }),
  PresenceRequired: () => ({
    code: 'presence_required',
    detail: 'Sign in again first: this needs a sign-in within the last five minutes.',
  }),
  NoActingUser: () => ({
    code: 'no_user',
    detail: 'This needs a token of a client that is bound to a user, or that has the role user-manager.',
  }),
  NotDeletable: () => ({
    code: 'illegal_move',
    detail: 'Only a Draft that was never Live can be deleted. Archive this item instead.',
  }),
  NotProposable: () => ({
    code: 'illegal_move',
    detail: 'Only changes of Live items are proposed. Save the item instead.',
  }),
  ProposalExists: ({ first: { id, by, at } }) => ({
    code: 'illegal_move',
    detail: `The item has a proposal already: ${id}, made${O.isSome(by) ? ` by ${by.value.kind} ${by.value.id}` : ''} at ${toRfc3339(at)}. Change, publish or discard that one.`,
  }),
  ProposalNotFound: () => notFound('proposal'),
  IllegalTransition: ({ from, to }) => ({
    code: 'illegal_move',
    detail: `An item cannot go from ${from} to ${to}.${from === 'Archived' ? ' Make it a Draft first.' : ''}`,
  }),
  NotPublishable: ({ errors }) => ({
    code: 'not_publishable',
    detail: 'The item lacks what a Live item needs, so it cannot be published by itself.',
    errors,
  }),
  ScheduleConflict: ({ errors }) => ({
    code: 'illegal_move',
    detail: `The item cannot have this schedule: ${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
  }),
  HasCounterpart: () => ({
    code: 'has_counterpart',
    detail:
      'The language of an item with a counterpart cannot change. Remove the link to the counterpart first.',
  }),
  ImageNeeded: () => ({
    code: 'image_needed',
    detail: 'Make the item a Draft first, or give it another image.',
  }),
  PortfolioChanged: () => ({
    code: 'precondition_failed',
    detail: 'The files or the portfolio have changed since the review. Review the files again.',
  }),
  PreconditionFailed: () => ({
    code: 'precondition_failed',
    detail: 'Read the item again: If-Match no longer matches.',
  }),
  KeyInUse: () => ({
    code: 'idempotency_key_in_use',
    detail: 'The first request with this Idempotency-Key is still running. Send it again in a moment.',
    headers: { 'Retry-After': '1' },
  }),
  KeyReused: () => ({
    code: 'idempotency_key_reused',
    detail: 'This Idempotency-Key was used for another request. Use a new one for each request.',
  }),
  ImageTooLarge: () => ({ code: 'content_too_large', detail: 'An image may have at most 10 MiB.' }),
  UnsupportedImage: (fault) => ({
    code: 'unsupported_media_type',
    detail: `The image ${contentFaultText(fault)}.`,
  }),
  BrokenImage: (fault) => badImage(contentFaultText(fault)),
  AnimatedImage: (fault) => badImage(contentFaultText(fault)),
  WrongImageSize: ({ rule, height, width }) => badImage(`${sizeOf(rule)}; it has ${height} by ${width}`),
  UploadRefused: ({ reason, file, message }) => ({
    code: reason === 'too-large' ? 'content_too_large' : 'invalid_request',
    detail: `The upload cannot be taken: ${file ?? 'it'} ${message}.`,
    errors: [fieldError(file ?? 'files', message)],
  }),
  Unavailable: ({ cause }) => busy(cause),
  OutcomeUnknown: ({ cause }) => unknownOutcome(cause),
  // Use cases reject URLs of unknown images that callers send; an image that vanishes elsewhere is a fault of the service.
  ImageMissing: internalError,
}

/** Maps each failure of a use case to a problem. */
export const problemOf = (failure: UseCaseFailure): Problem =>
  (MAPPING[failure._tag] as (failure: UseCaseFailure) => Problem)(failure)
