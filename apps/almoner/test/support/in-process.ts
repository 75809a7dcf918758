import { run } from '../../src/program.ts'
import type { Ended, Variables } from './almoner.ts'

/** Runs a command in this process: for what ends before anything is opened. */
export const inProcess = async (args: ReadonlyArray<string>, variables: Variables = {}): Promise<Ended> => {
  const said = { out: '', err: '' }
  const code = await run(args, {
    environment: variables,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}
