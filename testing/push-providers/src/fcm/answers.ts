import { replyJson, retryAfter, type ScriptedResponse } from '../server/answer.ts'

/**
 * What FCM says went wrong, with the HTTP status and the canonical code it stands beside
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode has the codes and statuses; which canonical code goes with which,
 * and the texts: https://bloomberg.github.io/pushiko/fcm_responses, answers of the real service).
 */
const FAILURES = {
  UNREGISTERED: [404, 'NOT_FOUND', 'Requested entity was not found.'],
  INVALID_ARGUMENT: [400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token'],
  SENDER_ID_MISMATCH: [403, 'PERMISSION_DENIED', 'SenderId mismatch'],
  QUOTA_EXCEEDED: [429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'],
  UNAVAILABLE: [503, 'UNAVAILABLE', 'The service is currently unavailable.'],
  INTERNAL: [500, 'INTERNAL', 'Internal error encountered.'],
  THIRD_PARTY_AUTH_ERROR: [401, 'UNAUTHENTICATED', 'Request is missing required authentication credential.'],
} as const

export type FcmErrorCode = keyof typeof FAILURES

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'

/** A `google.rpc.Status`, as Google's interfaces answer all that goes wrong (https://google.aip.dev/193). */
export const failure = (
  code: number,
  status: string,
  message: string,
  details: ReadonlyArray<unknown> = [],
  headers: Readonly<Record<string, string>> = {},
): ScriptedResponse =>
  replyJson(code, { error: { code, message, status, ...(details.length > 0 && { details }) } }, headers)

/**
 * A failure that FCM has a code for: `error.details` holds an `FcmError` with the `errorCode`
 * (https://firebase.google.com/docs/cloud-messaging/error-codes).
 * @param retry `Retry-After`: "429 error responses with retry-after headers may be returned"
 *   (https://firebase.google.com/docs/cloud-messaging/scale-fcm); 503 may bear one too
 */
export const fcmError = (errorCode: FcmErrorCode, retry?: number | Date): ScriptedResponse => {
  const [code, status, message] = FAILURES[errorCode]
  return failure(code, status, message, [{ '@type': FCM_ERROR, errorCode }], retryAfter(retry))
}

/** Too big for a device is `INVALID_ARGUMENT`, told apart by its text alone (https://github.com/firebase/firebase-admin-go/issues/580). */
export const messageTooBig = (): ScriptedResponse =>
  failure(400, 'INVALID_ARGUMENT', 'Android message is too big', [
    { '@type': FCM_ERROR, errorCode: 'INVALID_ARGUMENT' },
  ])

/** A field that is wrong, as `google.rpc.BadRequest` (first example of https://firebase.google.com/docs/cloud-messaging/error-codes). */
export const badField = (field: string, description: string): ScriptedResponse =>
  failure(400, 'INVALID_ARGUMENT', description, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] },
  ])

/** No access token, an unknown one, or one that has run out (the header: https://www.rfc-editor.org/rfc/rfc6750#section-3). */
export const unauthenticated = (): ScriptedResponse =>
  failure(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    [],
    { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  )

/** The service account may not send for this project. */
export const permissionDenied = (project: string): ScriptedResponse =>
  failure(
    403,
    'PERMISSION_DENIED',
    `Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/${project}' (or it may not exist).`,
  )

/** A failure before the interface itself: a page, not JSON (https://bloomberg.github.io/pushiko/fcm_responses, "Bad gateway"). */
export const badGateway = (): ScriptedResponse => ({
  kind: 'reply',
  status: 502,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: '<!DOCTYPE html><title>Error 502 (Server Error)!!1</title>',
})
