import { DELIVERED, type Push, type PushResult } from '@almoner/domain/notifications'
import type { PushGateway } from '@almoner/domain/ports'

/** The encoder of all JavaScript runtimes; declared here because the ES library has no type for it. */
const { TextEncoder } = globalThis as unknown as {
  TextEncoder: new () => { encode(text: string): { readonly length: number } }
}

/** A push gateway that stores its pushes. */
export interface MemoryPushGateway extends PushGateway {
  /** All pushes so far, in order. */
  pushes(): ReadonlyArray<Push>
}

/** Returns the result of a push, at once or later. Must not throw. */
export type PushScript = (push: Push) => PushResult | Promise<PushResult>

/** Creates a scripted provider, which measures a message as the UTF-8 of its JSON. @param script takes all unless given */
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
