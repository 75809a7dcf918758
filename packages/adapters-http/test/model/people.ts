import assert from 'node:assert/strict'
import { AMINA, preferencePath, tokenPath } from '../support/people.ts'
import { langOf } from './fields.ts'
import { type Asker, type Lang, type Model, type ModelUser, REACH, type Real, send } from './model.ts'

/** F3: whom a request is about: the path's user for a user-manager, else the token's. */
export const subjectOf = (asker: Asker, email: string): string | undefined => {
  if (asker === 'userManager') return email.toLowerCase()
  return asker === 'donor' ? AMINA : undefined
}

/** F2, F3: a malformed address is 400 where it is used; a token without a user is 403. */
export const subjectFaults = (asker: Asker, email: string): ReadonlyArray<number> => {
  if (asker === 'userManager') return email.includes('@') ? [] : [400]
  return asker === 'donor' ? [] : [403]
}

/** F1: the first device makes the user, subscribed, language `en`. */
const userOf = (m: Model, email: string): ModelUser => {
  const known = m.users.get(email) ?? { lang: 'en' as Lang, subscribed: true, topics: [] }
  m.users.set(email, known)
  return known
}

/** F4: invalid tokens. */
const badToken = (token: string | undefined): boolean =>
  token === undefined || token === '' || token === '.' || token === '..' || token.length > 4096

export const runAttachDevice = async (
  m: Model,
  real: Real,
  asker: Asker,
  email: string,
  token: string | undefined,
) => {
  const faults = [...subjectFaults(asker, email), ...(badToken(token) ? [400] : [])]
  const request = { asker, method: 'POST', path: tokenPath(email), fields: { device_token: token } }
  const answer = await send(m, real, request, 2, faults)
  const subject = subjectOf(asker, email)
  if (answer === undefined || subject === undefined || token === undefined) return
  assert.deepEqual(answer.body, { token: { email: subject, device_token: token } }, 'F5: exactly as sent')
  userOf(m, subject)
  m.devices.set(token, subject)
}

export const runDetachDevice = async (m: Model, real: Real, asker: Asker, email: string, token: string) => {
  const subject = subjectOf(asker, email)
  const isHeld = subject !== undefined && m.devices.get(token) === subject
  const faults = [...subjectFaults(asker, email), ...(isHeld ? [] : [404])]
  const answer = await send(m, real, { asker, method: 'DELETE', path: tokenPath(email, token) }, 2, faults)
  if (answer === undefined) return
  assert.equal(answer.body, 'success')
  m.devices.delete(token)
}

export const runListDevices = async (m: Model, real: Real, asker: Asker, email: string) => {
  const answer = await send(
    m,
    real,
    { asker, method: 'GET', path: tokenPath(email) },
    2,
    subjectFaults(asker, email),
  )
  if (answer === undefined) return
  const subject = subjectOf(asker, email)
  const { tokens } = answer.body as {
    tokens: ReadonlyArray<{ token: { email: string; device_token: string } }>
  }
  const held = [...m.devices].filter(([, owner]) => owner === subject).map(([token]) => token)
  assert.deepEqual(tokens.map(({ token }) => token.device_token).sort(), held.sort())
  assert.ok(tokens.every(({ token }) => token.email === subject))
}

export const runSetPreference = async (
  m: Model,
  real: Real,
  asker: Asker,
  email: string,
  sent: Readonly<Record<'lang' | 'subscribed' | 'topics', string | undefined>>,
) => {
  const badLang = sent.lang !== undefined && !['en', 'fr', ''].includes(sent.lang.toLowerCase())
  const badSubscribed = sent.subscribed !== undefined && !['true', 'false', ''].includes(sent.subscribed)
  const badTopics = sent.topics?.includes('unknown') === true
  const faults = [...subjectFaults(asker, email), ...(badLang || badSubscribed || badTopics ? [400] : [])]
  const request = { asker, method: 'PUT', path: preferencePath(email), fields: { ...sent } }
  const answer = await send(m, real, request, 2, faults)
  const subject = subjectOf(asker, email)
  if (answer === undefined || subject === undefined) return
  const user = userOf(m, subject)
  user.lang = langOf(sent.lang) ?? user.lang
  if (sent.subscribed === 'true' || sent.subscribed === 'false') user.subscribed = sent.subscribed === 'true'
  if (sent.topics !== undefined)
    user.topics = [...new Set(sent.topics.split(',').filter((one) => one !== ''))]
  assert.deepEqual(answer.body, { preference: { email: subject, ...user } })
}

export const runGetPreference = async (m: Model, real: Real, asker: Asker, email: string) => {
  const subject = subjectOf(asker, email)
  const user = subject === undefined ? undefined : m.users.get(subject)
  const faults = [...subjectFaults(asker, email), ...(user === undefined ? [404] : [])]
  const answer = await send(m, real, { asker, method: 'GET', path: preferencePath(email) }, 2, faults)
  if (answer !== undefined) assert.deepEqual(answer.body, { preference: { email: subject, ...user } }, 'F2')
}

/** Whether a token's kind is known, so that pushes to it go somewhere (F5). */
export const isRoutable = (token: string): boolean => /^(?:fcm|apns):/.test(token)

export const reach = (asker: Asker): number => (asker === 'nobody' ? 0 : REACH[asker])
