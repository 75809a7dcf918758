import { type Pause, pausesAmong, toRfc3339 } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { adviceFor } from '../push/advice.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { onCurrent } from './opened.ts'

const fixFor = ({ provider, reason, until }: Pause): string =>
  O.isNone(until)
    ? `see that the credentials are those that the app registers with; then almoner devices restore --provider ${provider} and almoner push resume ${provider}`
    : `${adviceFor(provider, reason)}; it is tried again by itself, or at once after almoner push resume ${provider}`

const foundOf = (pause: Pause): Found =>
  fault(`${pause.provider} is paused since ${toRfc3339(pause.since)}: ${pause.reason}`, fixFor(pause))

/** Whether a provider is paused (G5). */
export const pausesCheck: Check = {
  name: 'pauses',
  look: onCurrent(async ({ store, clock }) => {
    const states = await store.providers.states(clock.now())()
    if (E.isLeft(states)) return []
    const pauses = pausesAmong(states.right)
    return pauses.length === 0 ? [ok('no provider is paused')] : pauses.map(foundOf)
  }),
}
