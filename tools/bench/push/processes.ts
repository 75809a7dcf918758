import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { wordOf } from '../load/word-of.ts'
import type { ProviderKind, ProviderPlace } from './place.ts'

/** A provider's process. */
export interface StartedProvider {
  readonly place: ProviderPlace
  stop(): Promise<void>
}

/** Begins a process of a file beside this one, which may collect garbage when it likes. */
const begin = (file: string, args: ReadonlyArray<string | number>): ChildProcess =>
  fork(join(import.meta.dirname, file), args.map(String), {
    serialization: 'advanced',
    execArgv: ['--expose-gc'],
  })

/** Starts a provider that takes so many milliseconds to answer. */
export const startProvider = async (kind: ProviderKind, latency: number): Promise<StartedProvider> => {
  const child = begin('provider.ts', [kind, latency])
  const place = (await wordOf(child)) as ProviderPlace
  return {
    place,
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Runs a process that is told something and says what came of it, once it has ended. */
export const runProcess = async <A>(
  file: string,
  args: ReadonlyArray<string | number>,
  told: unknown,
): Promise<A> => {
  const child = begin(file, args)
  child.send(told as object)
  const ended = once(child, 'exit')
  const word = await wordOf(child)
  await ended
  return word as A
}
