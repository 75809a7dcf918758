import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Rig } from '../support/rig.ts'
import { COMMANDS } from './commands.ts'
import { newModel } from './world.ts'

/** What is to be tried. */
export interface Trial {
  /** Opens a service with nothing in it, in an empty folder. */
  readonly open: (folder: string) => Promise<Rig>
  /** Sequences of commands. */
  readonly runs: number
  /** The most commands of a sequence. */
  readonly length: number
  /** Repeats a trial; another one each time unless given. */
  readonly seed?: number
  readonly path?: string
}

/**
 * Does at random whatever the interface allows and forbids, by HTTP, and holds each answer against a model in memory.
 * @returns how many commands were run
 * @throws the shortest sequence that was found on which the two differ, with the seed that repeats it
 */
export const checkModel = async ({ open, runs, length, seed, path }: Trial): Promise<number> => {
  let commands = 0
  const property = fc.asyncProperty(
    fc.commands([...COMMANDS], { maxCommands: length, size: 'max' }),
    async (sequence) => {
      const folder = await mkdtemp(join(tmpdir(), 'almoner-model-'))
      const rig = await open(folder)
      const story: Array<string> = []
      try {
        const real = { rig, tokens: new Map(), story }
        await fc.asyncModelRun(() => ({ model: newModel(rig.clock.now()), real }), sequence)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n${story.slice(-12).join('\n')}`, {
          cause: error,
        })
      } finally {
        commands += story.length
        await rig.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
  const more = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) }
  await fc.assert(property, { numRuns: runs, ...more })
  return commands
}
