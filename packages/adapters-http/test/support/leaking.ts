import { inspect } from 'node:util'
import type { Ports } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The ways in which ports fail: each reveals all inputs of the port. */
export type Leak = 'works' | 'throws' | 'rejects' | 'unavailable'

/** An error as drivers create it: with the inputs in its message, its cause and its properties. */
const naming = (call: string, args: ReadonlyArray<unknown>): Error => {
  const given = inspect(args, { depth: 8, maxStringLength: null, maxArrayLength: null })
  return Object.assign(
    new Error(`${call} failed on ${given}`, { cause: new Error(JSON.stringify(args) ?? '') }),
    {
      code: '23505',
      detail: `Key (value)=(${given}) already exists.`,
      parameters: args,
      input: args.map(String).join(),
    },
  )
}

const failing = (leak: Exclude<Leak, 'works'>, error: Error): unknown => {
  if (leak === 'throws') throw error
  return leak === 'unavailable' ? TE.left(unavailable(error)) : () => Promise.reject(error)
}

const leaky = <P extends object>(name: string, port: P, leak: () => Leak): P =>
  new Proxy(port, {
    get: (target, method, receiver) => {
      const found: unknown = Reflect.get(target, method, receiver)
      if (typeof found !== 'function') return found
      return (...args: ReadonlyArray<unknown>) => {
        const now = leak()
        return now === 'works'
          ? Reflect.apply(found, target, args)
          : failing(now, naming(`${name}.${String(method)}`, args))
      }
    },
  })

/** Ports of which the named ones fail on demand. */
export const leakingPorts =
  (names: ReadonlyArray<keyof Ports>, leak: () => Leak) =>
  (ports: Ports): Ports => ({
    ...ports,
    ...Object.fromEntries(names.map((name) => [name, leaky(name, ports[name], leak)])),
  })
