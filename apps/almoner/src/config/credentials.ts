import { originOf } from './network.ts'
import { matching, rule } from './values.ts'

/** The origin of an address behind TLS. */
export const secureOrigin = rule('must be an https origin such as https://push.example.org', (text) => {
  const origin = originOf(text)
  return origin?.startsWith('https:') ? origin : undefined
})

/** How Apple names keys and teams. */
export const appleName = matching(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits')

/** The name of an app, which is what APNs calls a topic. */
export const topic = matching(
  /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/,
  'must be a bundle id such as org.example.app',
)

/** The uncompressed point. */
export const vapidPublicKey = matching(/^B[\w-]{86}$/, 'must be 65 bytes in base64url, which begin with B')

export const vapidPrivateKey = matching(/^[\w-]{43}$/, 'must be 32 bytes in base64url')

export const vapidSubject = matching(
  /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/,
  'must be an address such as mailto:push@example.org or https://example.org',
)
