import * as E from 'fp-ts/lib/Either.js'
import { databaseExists } from '../../composition/database.ts'
import { type Database, openDatabase } from '../../composition/store.ts'
import type { Settings } from '../../config/definitions.ts'
import type { Check, Found } from './finding.ts'
import type { Machine } from './machine.ts'

type Look = (database: Database, settings: Settings, machine: Machine) => Promise<ReadonlyArray<Found>>

/** Looks at a database that opens and has this program's schema. What is wrong with any other is said where that is looked at. */
export const onCurrent =
  (look: Look): Check['look'] =>
  async (settings, machine) => {
    if (!databaseExists(settings)) return []
    const opened = await openDatabase(settings)()
    if (E.isLeft(opened)) return []
    const database = opened.right
    try {
      const plan = await database.migrator.plan()()
      const isCurrent = E.isRight(plan) && !plan.right.isEmpty && plan.right.pending.length === 0
      return isCurrent ? await look(database, settings, machine) : []
    } finally {
      await database.close()
    }
  }
