import type { IncomingHttpHeaders } from 'node:http'
import type { BytePart } from '@almoner/domain/ports'
import parseRange from 'range-parser'
import { isNamed, type Version } from '../responses/headers.ts'

/** The header fields that identify a version of a file, with its date to the second. */
export type FileVersion = Required<Version>

/** Returns whether a file is newer than a date; undefined if the date is invalid. */
const isNewer = (version: FileVersion, date: string): boolean | undefined => {
  const since = Date.parse(date)
  return Number.isNaN(since) ? undefined : Date.parse(version['last-modified']) > since
}

/** Returns whether `If-Match` or `If-Unmodified-Since` fails (RFC 9110 §13). */
export const isPreconditionFailed = (headers: IncomingHttpHeaders, version: FileVersion): boolean => {
  const { 'if-match': match, 'if-unmodified-since': since } = headers
  if (match && !isNamed(match, version.etag)) return true
  return since !== undefined && isNewer(version, since) === true
}

/** Returns whether a range is of the version that the client has parts of (RFC 9110 §13.1.5). */
const isRangeFresh = (condition: string | undefined, version: FileVersion): boolean => {
  if (condition === undefined) return true
  return condition.includes('"') ? condition.includes(version.etag) : isNewer(version, condition) === false
}

/**
 * Returns the part of a file that a request asks for (RFC 9110 §14.2): undefined for the whole file, which also answers other units,
 * several parts and parts of another version; `'none'` if the file has no such part.
 */
export const partOf = (
  { range, 'if-range': condition }: IncomingHttpHeaders,
  size: number,
  version: FileVersion,
): BytePart | 'none' | undefined => {
  // Only Set-Cookie ever comes as a list.
  if (
    range === undefined ||
    !/^ *bytes=/.test(range) ||
    !isRangeFresh(condition as string | undefined, version)
  )
    return undefined
  const parts = parseRange(size, range, { combine: true })
  if (typeof parts === 'number') return 'none'
  const [only, ...more] = parts
  return only === undefined || more.length > 0 ? undefined : { first: only.start, last: only.end }
}
