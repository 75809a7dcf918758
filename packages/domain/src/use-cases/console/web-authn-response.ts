import * as E from 'fp-ts/lib/Either.js'
import { refined } from '../../values/refined.ts'

/** Characters of the longest response of a browser: keys and signatures have some hundred bytes. */
const MOST = 20_000

/** Reads the response of a browser: the JSON text of a `PublicKeyCredential`. */
export const WebAuthnResponse = refined<string>(
  'WebAuthnResponse',
  (text) => (text.length <= MOST ? E.right(text) : E.left(`must have at most ${MOST} characters`)),
  { type: 'string', description: 'JSON text of the browser’s PublicKeyCredential.', maxLength: MOST },
)
