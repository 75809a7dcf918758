import type { Command } from 'commander'
import type { Work } from './command.ts'

/** The option that every command has. */
export interface Json {
  readonly json?: true
}

/** Runs a command's work and keeps its exit code. */
export type Act = (work: Work, options: Json) => Promise<void>

/** Adds a command to a program or a group. */
export const command = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON document')
