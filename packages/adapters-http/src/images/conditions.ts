import type { IncomingHttpHeaders } from 'node:http'

/** What tells one version of a file from another. */
export interface Version {
  readonly etag: string
  /** As the header has it, to the second. */
  readonly lastModified: string
}

/** How a condition comes out: go on, the reader has it already, or what the reader counts on is no more. */
export type Verdict = 'go on' | 'not modified' | 'failed'

const names = (list: string, etag: string): boolean =>
  list
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === etag || `W/${one}` === etag)

/** Whether a file has changed since a date; a date that is none says nothing. */
const changedSince = (date: string, { lastModified }: Version): boolean | undefined => {
  const since = Date.parse(date)
  return Number.isNaN(since) ? undefined : Date.parse(lastModified) > since
}

const isFailed = (headers: IncomingHttpHeaders, version: Version): boolean => {
  const match = headers['if-match']
  if (match && match !== '*' && !names(match, version.etag)) return true
  const since = headers['if-unmodified-since']
  return since !== undefined && changedSince(since, version) === true
}

const isNotModified = (headers: IncomingHttpHeaders, version: Version): boolean => {
  // Who loads a page anew wants it whatever it has.
  if (headers['cache-control']?.includes('no-cache')) return false
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return noneMatch === '*' || names(noneMatch, version.etag)
  const since = headers['if-modified-since']
  return since !== undefined && changedSince(since, version) === false
}

/** Judges the conditions of a request (RFC 9110 §13), as the server of folders does. */
export const judge = (headers: IncomingHttpHeaders, version: Version): Verdict => {
  if (isFailed(headers, version)) return 'failed'
  return isNotModified(headers, version) ? 'not modified' : 'go on'
}

/** Whether a range is of the version that the reader has parts of (RFC 9110 §13.1.5); without a condition it is. */
export const isRangeFresh = (condition: string | undefined, version: Version): boolean => {
  if (condition === undefined) return true
  if (condition.includes('"')) return condition.includes(version.etag)
  return changedSince(condition, version) === false
}
