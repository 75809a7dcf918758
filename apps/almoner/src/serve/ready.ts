import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { type Clock, pausesAmong } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Database, databaseFailure, mediaFolder } from '../compose.ts'
import { notAvailable } from '../failure.ts'
import type { Settings } from '../settings/definitions.ts'

/**
 * Resolves when the database answers with the schema of this program and images can be stored, with the providers that pushes do not
 * go out by (G5); else rejects with the reason.
 */
export const readiness =
  (settings: Settings, { migrator, store }: Database, clock: Clock) =>
  async (): Promise<ReadonlyArray<string>> => {
    const plan = await migrator.plan()()
    if (E.isLeft(plan)) throw new Error(databaseFailure(plan.left).lines.join('; '))
    if (plan.right.pending.length > 0) throw new Error('the schema is older than this program')
    // The dot tells a folder from a file in its place.
    await access(`${mediaFolder(settings)}/.`, constants.R_OK | constants.W_OK)
    const states = await store.providers.states(clock.now())()
    if (E.isLeft(states)) throw new Error(notAvailable('the database')(states.left).lines.join('; '))
    return pausesAmong(states.right).map(({ provider }) => `push by ${provider} is paused`)
  }
