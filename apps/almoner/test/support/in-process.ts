import { join } from 'node:path'
import { run } from '../../src/cli/program.ts'
import type { Ended, Variables } from './almoner.ts'
import { DEFAULT_DATABASE } from './database.ts'

/** Runs a command in this process, whose working folder it shares: places in `variables` have to be whole paths. */
export const inProcess = async (
  args: ReadonlyArray<string>,
  variables: Variables = {},
  isTerminal = false,
  input = '',
): Promise<Ended> => {
  const said = { out: '', err: '' }
  const code = await run(args, {
    environment: variables,
    input: async () => input,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    isTerminal,
  })
  return { code, ...said }
}

/** Runs a command in this process, on the database that it would make by itself in a folder. */
export const inFolder = (folder: string, args: ReadonlyArray<string>, isTerminal = false): Promise<Ended> =>
  inProcess(args, { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` }, isTerminal)
