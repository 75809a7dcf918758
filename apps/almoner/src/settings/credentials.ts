import * as E from 'fp-ts/lib/Either.js'
import type { Parse } from './setting.ts'

/** A text of a form. */
const formed =
  (form: RegExp, otherwise: string): Parse<string> =>
  (text) =>
    form.test(text) ? E.right(text) : E.left(otherwise)

/** The origin of an address behind TLS, with or without a slash at its end. */
export const secureOrigin: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.href === `${url.origin}/`
    ? E.right(url.origin)
    : E.left('must be an https origin such as https://push.example.org')
}

/** How Apple names keys and teams. */
export const appleName = formed(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits')

/** The name of an app, which is what APNs calls a topic. */
export const topic = formed(
  /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/,
  'must be a bundle id such as org.example.app',
)

/** The uncompressed point. */
export const vapidPublicKey = formed(/^B[\w-]{86}$/, 'must be 65 bytes in base64url, which begin with B')

export const vapidPrivateKey = formed(/^[\w-]{43}$/, 'must be 32 bytes in base64url')

export const vapidSubject = formed(
  /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/,
  'must be an address such as mailto:push@example.org or https://example.org',
)
