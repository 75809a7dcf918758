import { onDatabase, type Work } from '../../cli/command.ts'
import { printBatches } from '../../cli/print-batches.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { userDocument, userTable } from './document.ts'

/** `user list`: every user by email. */
export const listUsers = (terminal: Terminal, asJson: boolean): Work =>
  onDatabase(({ users }) =>
    printBatches(users.all(), { table: userTable, document: userDocument }, { terminal, asJson }),
  )
