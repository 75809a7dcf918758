import { FEED_IMAGE, LIBRARY_IMAGE } from '@almoner/domain/media'
import { outcomeUnknown, unavailable } from '@almoner/domain/ports'
import { fieldError, instant, validationFailed } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { PROBLEMS, type ProblemCode } from '../../src/index.ts'
import { badRequest, ProblemError, problemBody } from '../../src/problems/problem.ts'
import { problemOf, type UseCaseFailure } from '../../src/problems/problem-of-failure.ts'
import { problemOfError, problemOfStatus } from '../../src/problems/send-problem.ts'

/** One of each failure, and the problem that callers get. */
const FAILURES: {
  readonly [Tag in UseCaseFailure['_tag']]: readonly [
    Extract<UseCaseFailure, { _tag: Tag }>,
    ProblemCode,
    RegExp,
  ]
} = {
  ValidationFailed: [
    validationFailed([fieldError('lang', 'must be en or fr')]),
    'invalid_request',
    /parameters/,
  ],
  ClientExists: [{ _tag: 'ClientExists' }, 'invalid_request', /identifier/],
  ClientIsPublic: [{ _tag: 'ClientIsPublic' }, 'invalid_request', /no secret/],
  ClientNotFound: [{ _tag: 'ClientNotFound' }, 'not_found', /no such client/],
  NoPreviewUrl: [{ _tag: 'NoPreviewUrl' }, 'not_found', /ALMONER_PREVIEW_URL is not set/],
  CopyNotFound: [{ _tag: 'CopyNotFound' }, 'not_found', /working copy/],
  ManagerNotFound: [{ _tag: 'ManagerNotFound' }, 'not_found', /manager/],
  ManagerExists: [{ _tag: 'ManagerExists' }, 'invalid_request', /this manager/],
  ManagerDisabled: [{ _tag: 'ManagerDisabled' }, 'invalid_request', /this manager/],
  ItemNotFound: [{ _tag: 'ItemNotFound' }, 'not_found', /item/],
  NotDeletable: [{ _tag: 'NotDeletable' }, 'illegal_move', /never Live/],
  NotProposable: [{ _tag: 'NotProposable' }, 'illegal_move', /Live items/],
  ProposalExists: [
    {
      _tag: 'ProposalExists',
      first: { id: 'a' as never, by: O.some({ kind: 'person', id: '3' }), at: instant(0) },
    },
    'illegal_move',
    /already: a, made by person 3 at 1970-01-01T00:00:00.000Z/,
  ],
  ProposalNotFound: [{ _tag: 'ProposalNotFound' }, 'not_found', /proposal/],
  LabelNotFound: [{ _tag: 'LabelNotFound' }, 'not_found', /label/],
  CursorExpired: [{ _tag: 'CursorExpired' }, 'cursor_expired', /without since/],
  CounterpartNotFound: [{ _tag: 'CounterpartNotFound' }, 'not_found', /counterpart/],
  ImageNotFound: [{ _tag: 'ImageNotFound' }, 'not_found', /image/],
  DeviceNotFound: [{ _tag: 'DeviceNotFound' }, 'not_found', /device token/],
  UserNotFound: [{ _tag: 'UserNotFound' }, 'not_found', /user/],
  ErasureUnfinished: [
    { _tag: 'ErasureUnfinished', isDiskFull: true, cause: new Error('full') },
    'erasure_unfinished',
    /disk is full: make room, and repeat this/,
  ],
  NoSession: [{ _tag: 'NoSession' }, 'invalid_session', /Sign in/],
  RightsEnded: [
    { _tag: 'RightsEnded', reason: { code: 'invalid_token', detail: 'It was revoked.' } },
    'invalid_token',
    /revoked/,
  ],
  NotificationNotFound: [{ _tag: 'NotificationNotFound' }, 'not_found', /notification/],
  NotificationStarted: [{ _tag: 'NotificationStarted' }, 'notification_started', /Delete it to stop/],
  ResourceNotFound: [{ _tag: 'ResourceNotFound' }, 'not_found', /resource_id/],
  IdentityNotFound: [{ _tag: 'IdentityNotFound' }, 'not_found', /linked account/],
  PasskeyNotFound: [{ _tag: 'PasskeyNotFound' }, 'not_found', /passkey/],
  PasskeyNotStored: [{ _tag: 'PasskeyNotStored' }, 'invalid_request', /not stored/],
  PasswordNotFound: [{ _tag: 'PasswordNotFound' }, 'not_found', /password/],
  PasskeyRefused: [{ _tag: 'PasskeyRefused' }, 'invalid_request', /not stored/],
  PresenceRequired: [{ _tag: 'PresenceRequired' }, 'presence_required', /five minutes/],
  InsufficientRole: [{ _tag: 'InsufficientRole', role: 'user-manager' }, 'insufficient_role', /user-manager/],
  RevisionNotFound: [{ _tag: 'RevisionNotFound' }, 'not_found', /revision/],
  RevisionImageGone: [
    { _tag: 'RevisionImageGone', url: 'https://a.example/b.png' as never },
    'image_gone',
    /https:\/\/a\.example\/b\.png no longer exists/,
  ],
  NoActingUser: [{ _tag: 'NoActingUser' }, 'no_user', /bound to a user.*user-manager/],
  InsufficientScope: [{ _tag: 'InsufficientScope', scope: 'user-donor' }, 'insufficient_scope', /user-donor/],
  IllegalTransition: [
    { _tag: 'IllegalTransition', from: 'Archived', to: 'Live' },
    'illegal_move',
    /Archived to Live.*Draft first/,
  ],
  NotPublishable: [
    { _tag: 'NotPublishable', errors: [fieldError('coverImgUrl', 'is required')] },
    'not_publishable',
    /lacks what a Live item needs/,
  ],
  ScheduleConflict: [
    { _tag: 'ScheduleConflict', errors: [fieldError('publishAt', 'must be empty')] },
    'illegal_move',
    /cannot have this schedule: publishAt must be empty\./,
  ],
  ImageNeeded: [{ _tag: 'ImageNeeded' }, 'image_needed', /Draft first/],
  LastOperator: [{ _tag: 'LastOperator' }, 'last_operator', /another manager/],
  HasCounterpart: [{ _tag: 'HasCounterpart' }, 'has_counterpart', /Remove the link/],
  UploadRefused: [
    { _tag: 'UploadRefused', reason: 'too-large', file: 'a.csv', message: 'has more than 64 MiB' },
    'content_too_large',
    /a\.csv has more than 64 MiB/,
  ],
  PortfolioChanged: [{ _tag: 'PortfolioChanged' }, 'precondition_failed', /Review the files again/],
  PreconditionFailed: [{ _tag: 'PreconditionFailed' }, 'precondition_failed', /If-Match/],
  KeyInUse: [{ _tag: 'KeyInUse' }, 'idempotency_key_in_use', /still running/],
  KeyReused: [{ _tag: 'KeyReused' }, 'idempotency_key_reused', /another request/],
  ImageTooLarge: [{ _tag: 'ImageTooLarge' }, 'content_too_large', /10 MiB/],
  UnsupportedImage: [
    { _tag: 'UnsupportedImage', reason: 'must be a JPEG or PNG' },
    'unsupported_media_type',
    /must be a JPEG or PNG/,
  ],
  BrokenImage: [
    { _tag: 'BrokenImage', reason: 'the file ends too early' },
    'invalid_image',
    /does not decode whole: the file ends too early\./,
  ],
  AnimatedImage: [{ _tag: 'AnimatedImage' }, 'invalid_image', /animated/],
  WrongImageSize: [
    { _tag: 'WrongImageSize', rule: FEED_IMAGE, width: 40, height: 56 },
    'invalid_image',
    /560 pixels high and 400 wide; it has 56 by 40/,
  ],
  Unavailable: [unavailable(new Error('inside')), 'unavailable', /try again/],
  OutcomeUnknown: [outcomeUnknown(new Error('inside')), 'outcome_unknown', /Read again/],
  ImageMissing: [{ _tag: 'ImageMissing', name: 'inside.png' as never }, 'internal_error', /request id/],
}

t.test('I1: every failure of a use case has a problem, and none reveals internals', async (t) => {
  for (const [tag, [failure, code, detail]] of Object.entries(FAILURES)) {
    const problem = problemOf(failure)
    t.equal(problem.code, code, tag)
    t.match(problem.detail, detail)
    const body = JSON.stringify(problemBody(problem, 'id'))
    t.notMatch(body, /inside|cause/, tag)
    const { errors } = problemBody(problem, 'id') as { errors?: unknown }
    // A file beyond a bound is named with 413, too (H4).
    const isNamed = PROBLEMS[code].status === 400 || tag === 'UploadRefused' || tag === 'NotPublishable'
    t.equal(Array.isArray(errors), isNamed, `${tag}: errors with 400`)
  }
  const large = problemOf({ _tag: 'WrongImageSize', rule: LIBRARY_IMAGE, width: 5000, height: 1 })
  t.match(large.detail, /at most 4096 pixels on a side/)
})

const withStatus = (statusCode: unknown): Error => Object.assign(new Error('inside: secret'), { statusCode })

t.test(
  'I1: framework errors are described by their status, in our words; others are internal errors',
  async (t) => {
    for (const [thrown, code] of [
      [withStatus(400), 'invalid_request'],
      [withStatus(403), 'not_found'],
      [withStatus(404), 'not_found'],
      [withStatus(413), 'content_too_large'],
      [withStatus(414), 'invalid_request'],
      [withStatus(415), 'unsupported_media_type'],
      [withStatus(429), 'too_many_requests'],
      [withStatus(500), 'internal_error'],
      [withStatus(302), 'internal_error'],
      [withStatus('400'), 'internal_error'],
      [new ProblemError(badRequest('The body is not valid JSON.')), 'invalid_request'],
      [new ProblemError(problemOfStatus(413)), 'content_too_large'],
      [Object.assign(new Error('inside: secret'), { _tag: 'Unavailable' }), 'unavailable'],
      [new TypeError('inside: secret'), 'internal_error'],
      ['inside: secret', 'internal_error'],
      [undefined, 'internal_error'],
      [null, 'internal_error'],
    ] as const) {
      const problem = problemOfError(thrown)
      t.equal(problem.code, code, String(thrown))
      t.notMatch(JSON.stringify(problemBody(problem, 'id')), /inside|secret/)
      if (code === 'internal_error') t.equal(problem.cause, thrown, 'the error is logged')
    }
  },
)
