import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Fixture } from '../support/fixture.ts'
import { COMMANDS } from './commands.ts'
import { newModel } from './model.ts'

/** The options of a run. */
export interface Trial {
  /** Opens an empty service in an empty folder. */
  readonly open: (folder: string) => Promise<Fixture>
  /** Sequences of commands. */
  readonly runs: number
  /** The most commands of a sequence. */
  readonly length: number
  /** Repeats a run; random by default. */
  readonly seed?: number
  readonly path?: string
}

/**
 * Runs random valid and invalid commands over HTTP, and compares each response with a model in memory.
 * @returns the number of commands
 * @throws the shortest found sequence on which the two differ, with its seed
 */
export const checkModel = async ({ open, runs, length, seed, path }: Trial): Promise<number> => {
  let commands = 0
  const property = fc.asyncProperty(
    fc.commands([...COMMANDS], { maxCommands: length, size: 'max' }),
    async (sequence) => {
      const folder = await mkdtemp(join(tmpdir(), 'almoner-model-'))
      const fixture = await open(folder)
      const story: Array<string> = []
      try {
        const real = { fixture, tokens: new Map(), story }
        await fc.asyncModelRun(() => ({ model: newModel(fixture.clock.now()), real }), sequence)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n${story.slice(-12).join('\n')}`, {
          cause: error,
        })
      } finally {
        commands += story.length
        await fixture.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
  const more = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) }
  await fc.assert(property, { numRuns: runs, ...more })
  return commands
}
