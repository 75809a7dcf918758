/** What FCM says went wrong, as far as it can be made out. */
export interface FcmFailure {
  /** `errorCode` of the `FcmError` among the details; empty where there is none. */
  readonly errorCode: string
  /** The canonical code, as `NOT_FOUND`; empty where there is none. */
  readonly status: string
  readonly message: string
  /** The fields that a `BadRequest` among the details names. */
  readonly fields: ReadonlyArray<string>
}

type Json = Readonly<Record<string, unknown>>

const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.map(recordOf) : [])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads an answer as a JSON object; an empty one when it is none, since servers before Google's answer in pages. */
export const readJson = (body: string): Json => {
  try {
    return recordOf(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Reads an `error` with its `details` (https://firebase.google.com/docs/cloud-messaging/error-codes); any text will do. */
export const readFailure = (body: string): FcmFailure => {
  const error = recordOf(readJson(body)['error'])
  const details = listOf(error['details'])
  return {
    errorCode: textOf(details.find((detail) => textOf(detail['errorCode']) !== '')?.['errorCode']),
    status: textOf(error['status']),
    message: textOf(error['message']),
    fields: details.flatMap((detail) => listOf(detail['fieldViolations'])).map(({ field }) => textOf(field)),
  }
}
