import type { PushMessage } from '@almoner/domain/notifications'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

/** Faults of push providers and gateways. */
export const PROVIDER_FAULTS: Faults<'providers' | 'pushGateway'> = {
  providers: {
    'knows the state of one provider only': [
      'K1, G5: pausing and resuming a provider',
      ({ states }) => ({
        states: returning(states, (all) => all.slice(0, 1)),
      }),
    ],
    'begins a pause again': [
      'K1, G5: pausing and resuming a provider',
      ({ pause, resume }) => ({
        pause: (provider, now, act) =>
          pipe(
            resume(provider, { now, overrideUntil: O.none }),
            TE.flatMap(() => pause(provider, now, act)),
          ),
      }),
    ],
    'leaves a pause that an operator ends': [
      'G5: resuming a provider releases its deferred devices unchanged',
      () => ({ resume: () => TE.right([]) }),
    ],
    'ignores an override': [
      'G5: an override prevents pauses until it ends',
      ({ resume }) => ({
        resume: (provider, at, act) => resume(provider, { ...at, overrideUntil: O.none }, act),
      }),
    ],
    'leaves no record of a pause': [
      'K1, G5: pausing and resuming a provider leave a record',
      ({ pause }) => ({ pause: (provider, now) => pause(provider, now) }),
    ],
  },
  pushGateway: {
    'counts characters': [
      'G6: the size of a message grows with its text, by the bytes of its UTF-8',
      () => ({ bytesOf: (message) => [...JSON.stringify(message)].length }),
    ],
    'measures nothing beyond 4 KiB': [
      'G6: the size of a message grows with its text',
      ({ bytesOf }) => ({ bytesOf: (message) => Math.min(bytesOf(message), 4096) }),
    ],
    'measures another size each time': [
      'G6: a size is computed without the provider, and is always the same',
      ({ bytesOf }) => {
        let calls = 0
        return {
          bytesOf: (message: PushMessage) => {
            calls += 1
            return bytesOf(message) + calls
          },
        }
      },
    ],
    'gives no result when many pushes are under way': [
      'G5: each push gets a result, also when many are sent at once',
      ({ send }) => {
        let running = 0
        return {
          send: (push) => async () => {
            running += 1
            const result = running > 10 ? undefined : await send(push)()
            await Promise.resolve()
            running -= 1
            return result ?? ({ _tag: 'Busy' } as never)
          },
        }
      },
    ],
    'throws if its provider is gone': [
      'G5: an unreachable provider gives a result, not an error',
      ({ send }) => ({
        send: (push) => async () => {
          const result = await send(push)()
          if (result._tag === 'Retry') throw new Error('the provider is gone')
          return result
        },
      }),
    ],
  },
}
