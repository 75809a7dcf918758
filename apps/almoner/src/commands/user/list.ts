import type { Terminal } from '../../terminal.ts'
import { onDatabase, type Work } from '../command.ts'
import { printBatches } from '../print-batches.ts'
import { userDocument, userTable } from './document.ts'

/** `user list`: every user by email. */
export const listUsers = (terminal: Terminal, asJson: boolean): Work =>
  onDatabase(({ users }) =>
    printBatches(users.all(), { table: userTable, document: userDocument }, { terminal, asJson }),
  )
