import { WebUrl } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { folderPlace } from './places.ts'
import type { Parse } from './setting.ts'
import { withoutSlash } from './values.ts'

/** Where images are stored. */
export type MediaPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** What all keys begin with, without slashes around it. */
      readonly prefix: string
      /** The origin of a store that is not AWS's. */
      readonly endpoint: string | undefined
      readonly region: string | undefined
    }

/** How stored images reach their readers. */
export type MediaServing =
  /** Through the service. */
  | { readonly kind: 'proxy' }
  /** By addresses that are signed for a few minutes. */
  | { readonly kind: 'signed' }
  /** By addresses below a public one, which has no slash at its end. */
  | { readonly kind: 'public'; readonly url: string }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Names that are the same in a URL, in a key and in a file, none of which is `.` or `..`. */
const PREFIX = /^(?:(?!\.\.?\/)[\w.-]+\/)*$/
const REGION = /^[a-z0-9-]{2,32}$/

const S3_RULE =
  's3://BUCKET/PREFIX, with ?endpoint= an http or https origin and &region= where they are needed'

const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

/** The query of an address, with each name once and none unknown. */
const optionsIn = (
  query: string,
): Readonly<Record<'endpoint' | 'region', string | undefined>> | undefined => {
  const given = [...new URLSearchParams(query)]
  const isKnown = given.every(([name]) => name === 'endpoint' || name === 'region')
  const { endpoint, region }: Readonly<Record<string, string>> = Object.fromEntries(given)
  return isKnown && new Set(given.map(([name]) => name)).size === given.length
    ? { endpoint, region }
    : undefined
}

const s3Place: Parse<MediaPlace> = (text) => {
  const fault = E.left(`must be ${S3_RULE}`)
  const [, bucket = '', path = '', query = ''] =
    /^s3:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text) ?? []
  const prefix = path.replace(/\/$/, '')
  const options = optionsIn(query)
  if (options === undefined || !BUCKET.test(bucket) || !PREFIX.test(prefix === '' ? '' : `${prefix}/`))
    return fault
  const { endpoint, region } = options
  if (endpoint !== undefined && !isOrigin(endpoint)) return fault
  if (region !== undefined && !REGION.test(region)) return fault
  return E.right({ kind: 's3', bucket, prefix, region, endpoint: endpoint && new URL(endpoint).origin })
}

/** A folder or a bucket. */
export const mediaPlace: Parse<MediaPlace> = (text) =>
  /^s3:/i.test(text)
    ? s3Place(text)
    : pipe(
        folderPlace(text),
        E.bimap(
          (rule) => `${rule}; or ${S3_RULE}`,
          (path): MediaPlace => ({ kind: 'folder', path }),
        ),
      )

/** `proxy`, `signed`, or `public:` and an address. */
export const mediaServing: Parse<MediaServing> = (text) => {
  if (text === 'proxy' || text === 'signed') return E.right({ kind: text })
  const url = text.slice('public:'.length)
  return text.startsWith('public:') && WebUrl.is(url) && !/[?#]/.test(url)
    ? E.right({ kind: 'public', url: withoutSlash(url) })
    : E.left(
        'must be proxy, signed, or public: and an http or https URL without query, fragment or credentials',
      )
}
