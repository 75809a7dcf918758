import { DELIVERED, type Push, type PushGateway, type PushResult } from '../src/all.ts'

/** The encoder that every JavaScript runtime has; named here because the language's own library does not type it. */
const { TextEncoder } = globalThis as unknown as {
  TextEncoder: new () => { encode(text: string): { readonly length: number } }
}

/** A push gateway that keeps what it is given. */
export interface MemoryPushGateway extends PushGateway {
  /** Every push so far, in the order in which they were given. */
  pushes(): ReadonlyArray<Push>
}

/** Returns the result of a push, at once or later. Must not throw. */
export type PushScript = (push: Push) => PushResult | Promise<PushResult>

/** A provider as a test wants it, which counts a message as the UTF-8 of its JSON. @param script takes all unless given */
export const memoryPushGateway = (script: PushScript = () => DELIVERED): MemoryPushGateway => {
  const given: Array<Push> = []
  return {
    bytesOf: (message) => new TextEncoder().encode(JSON.stringify(message)).length,
    send: (push) => async () => {
      given.push(push)
      return script(push)
    },
    pushes: () => [...given],
  }
}
