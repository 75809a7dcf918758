import { reply, type ScriptedResponse } from '../server/answer.ts'
import type { Raw } from '../server/listen.ts'

/** A body that is too large may be answered 413, one of 4096 bytes or less never (https://www.rfc-editor.org/rfc/rfc8030#section-7.2). */
const MOST = 4096
/** At most 32 characters of the URL-safe Base64 alphabet (https://www.rfc-editor.org/rfc/rfc8030#section-5.4). */
const TOPIC = /^[\w-]{1,32}$/
/** https://www.rfc-editor.org/rfc/rfc8030#section-5.3 */
const URGENCIES = ['very-low', 'low', 'normal', 'high']

/** What a push service has against headers and size of a message; who sends it has been looked at before. */
export const refuseMessage = ({ headers, body }: Raw): ScriptedResponse | undefined => {
  const { ttl, topic, urgency } = headers
  // A request without it is answered 400 (https://www.rfc-editor.org/rfc/rfc8030#section-5.2).
  if (!/^\d+$/.test(String(ttl))) return reply(400, {}, 'TTL')
  if (topic !== undefined && !TOPIC.test(String(topic))) return reply(400, {}, 'Topic')
  if (urgency !== undefined && !URGENCIES.includes(String(urgency))) return reply(400, {}, 'Urgency')
  if (body.length > MOST) return reply(413)
  // A message without a body is allowed; one with a body is in this coding (https://www.rfc-editor.org/rfc/rfc8291#section-4).
  return body.length === 0 || headers['content-encoding'] === 'aes128gcm'
    ? undefined
    : reply(400, {}, 'Content-Encoding')
}
