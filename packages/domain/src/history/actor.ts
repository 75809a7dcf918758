import type { ClientId } from '../values/ids.ts'

/** The kinds of actors: a client by its access token, a person in the console, a command of an operator (K1). */
export const ACTOR_KINDS = ['client', 'person', 'command'] as const
/** One of {@link ACTOR_KINDS}. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who changes something (K1). The `id` is a client's identifier, a person's number or a command's words, never an address. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

/** Returns the actor behind a client's access token. */
export const clientActor = (clientId: ClientId): Actor => ({ kind: 'client', id: clientId })

/** Returns the actor behind a session of the console, by the number under which the person is recorded. */
export const personActor = (number: number): Actor => ({ kind: 'person', id: String(number) })

/** Returns the actor behind a command, by its words, as `labels load`. */
export const commandActor = (words: string): Actor => ({ kind: 'command', id: words })
