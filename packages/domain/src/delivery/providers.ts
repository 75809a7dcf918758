import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../access/caller.ts'
import { isProviderName, type Provider, providersWith } from '../people/destinations.ts'
import { fieldError, parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { integer, refined } from '../values/refined.ts'
import { addMillis, type Instant, MINUTE } from '../values/time.ts'
import type { DeliveryPolicy, DeliveryPorts } from './ports.ts'
import type { ProviderState } from './settle.ts'

const ProviderName = refined<Provider>(
  'ProviderName',
  (text) => (isProviderName(text) ? E.right(text as Provider) : E.left('must be the name of a provider')),
  { type: 'string', description: 'Name of the provider.', example: 'fcm' },
)

/** Hours for which an operator may accept reports of unregistered devices, however many they are. */
const Hours = integer(
  'Hours',
  1,
  168,
  'Hours for which no number of reports of unregistered devices pauses the provider again. Default: none.',
)

/** Parameters of GET /providers. */
export const ListProviders = parameters({ name: 'ListProviders', required: {}, optional: {} })
export type ListProviders = typeof ListProviders._A

/** Parameters of PUT /providers/<provider>/pause. */
export const PauseProvider = parameters({
  name: 'PauseProvider',
  required: { provider: ProviderName },
  optional: {},
})
export type PauseProvider = typeof PauseProvider._A

/** Parameters of DELETE /providers/<provider>/pause. */
export const ResumeProvider = parameters({
  name: 'ResumeProvider',
  required: { provider: ProviderName },
  optional: { ignoreUnregisteredHours: Hours },
})
export type ResumeProvider = typeof ResumeProvider._A

type Needs = Pick<DeliveryPorts, 'providers' | 'clock'>
type Codecs = Pick<DeliveryPolicy, 'deviceCodecs'>
type States = ReadonlyArray<ProviderState>

/** Returns the state of each push provider, for operators (G5). */
export const makeListProviders =
  ({ providers, clock }: Needs) =>
  (
    caller: Caller,
    _parameters: ListProviders,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, States> =>
    permitted('operate', caller)(() => providers.states(clock.now()))

/** Does an act about a provider of this deployment, and returns the states after it. */
const actOn = (
  { providers, clock }: Needs,
  { deviceCodecs }: Codecs,
  provider: Provider,
  act: (now: Instant) => TE.TaskEither<Unavailable, unknown>,
): TE.TaskEither<ValidationFailed | Unavailable, States> => {
  if (!providersWith(deviceCodecs).includes(provider))
    return TE.left(validationFailed([fieldError('provider', 'must be the name of a provider')]))
  return pipe(
    act(clock.now()),
    TE.flatMap(() => providers.states(clock.now())),
  )
}

type ActFailure = InsufficientScope | InsufficientRole | ValidationFailed | Unavailable

/** Pauses a provider on all processes until an operator resumes it: nothing is sent by it, and its devices wait (G5, K1). */
export const makePauseProvider =
  (ports: Needs, policy: Codecs) =>
  (caller: Caller, { provider }: PauseProvider): TE.TaskEither<ActFailure, States> =>
    permitted(
      'operate',
      caller,
    )(() =>
      actOn(ports, policy, provider, (now) =>
        ports.providers.pause(provider, now, { actor: caller.actor, action: 'pause-provider', at: now }),
      ),
    )

/** Ends the pause of a provider (G5, K1). For the hours given, no number of unregistered devices starts another one. */
export const makeResumeProvider =
  (ports: Needs, policy: Codecs) =>
  (
    caller: Caller,
    { provider, ignoreUnregisteredHours }: ResumeProvider,
  ): TE.TaskEither<ActFailure | PresenceRequired, States> =>
    permitted(
      'resumeProvider',
      caller,
      ports.clock,
    )(() =>
      actOn(ports, policy, provider, (now) => {
        const overrideUntil = O.map((hours: number) => addMillis(now, hours * 60 * MINUTE))(
          O.fromNullable(ignoreUnregisteredHours),
        )
        const act = { actor: caller.actor, action: 'resume-provider', at: now } as const
        return ports.providers.resume(provider, { now, overrideUntil }, act)
      }),
    )
