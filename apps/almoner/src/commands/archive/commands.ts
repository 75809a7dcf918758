import type { Command } from 'commander'
import type { Work } from '../../cli/command.ts'
import { type Act, command, type Json } from '../../cli/command-line.ts'
import type { Terminal } from '../../cli/terminal.ts'
import type { ArchiveOptions } from './export.ts'

type Options = Json & ArchiveOptions & { readonly dryRun?: true }

/** A command whose code is loaded when it runs: it is large, and seldom needed. */
const lazily =
  (load: () => Promise<Work>): Work =>
  (settings) =>
  async () =>
    (await load())(settings)()

/** Adds the commands that write and read archives. */
export const addArchiveCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const add = (
    [name, description]: readonly [string, string],
    load: (file: string, options: Options) => Promise<Work>,
  ): Command =>
    command(program, `${name} <FILE>`, description).action((file: string, options: Options) =>
      act(
        lazily(() => load(file, options)),
        options,
      ),
    )
  const strict = ['--strict', 'write nothing if an image is missing'] as const
  add(['export', 'write all data and images to one archive'], async (file, options) =>
    (await import('./export.ts')).exportAll(file, options, terminal),
  ).option(...strict)
  add(['import', 'import an archive into an empty service'], async (file, options) =>
    (await import('./import.ts')).importAll(file, options, terminal),
  ).option('--dry-run', 'only validate the archive')
  add(['backup', 'copy the SQLite database and its images to one file'], async (file, options) =>
    (await import('./backup.ts')).backUp(file, options, terminal),
  ).option(...strict)
  add(['restore', 'restore a backup into an empty, stopped service'], async (file) =>
    (await import('./restore.ts')).restoreAll(file, terminal),
  )
}
