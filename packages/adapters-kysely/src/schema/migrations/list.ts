import { initial } from './0017-initial.ts'
import { plainNames } from './0018-plain-names.ts'
import { search } from './0019-search.ts'
import { personalData } from './0020-personal-data.ts'
import { consolePeople } from './0022-console.ts'
import { translation } from './0023-translation.ts'
import { history } from './0024-history.ts'
import { workingCopies } from './0025-working-copies.ts'
import { passkeys } from './0026-passkeys.ts'
import { clientUse } from './0027-client-use.ts'
import { managerTimeZone } from './0028-manager-time-zone.ts'
import { audit } from './0029-audit.ts'
import { identities } from './0030-identities.ts'
import { passwords } from './0031-passwords.ts'
import { auditFilters } from './0032-audit-filters.ts'
import { wrongCodes } from './0033-wrong-codes.ts'
import { responseTokens } from './0034-response-tokens.ts'
import { oneAddress } from './0035-one-address.ts'
import { portfolioKey } from './0036-portfolio-key.ts'
import { origins } from './0037-origins.ts'
import { composedIds } from './0038-composed-ids.ts'
import { lives } from './0040-lives.ts'
import { planned } from './0041-planned.ts'
import type { Migration } from './migration.ts'

/** The schema's whole history, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [
  initial,
  plainNames,
  search,
  personalData,
  consolePeople,
  translation,
  history,
  workingCopies,
  passkeys,
  clientUse,
  managerTimeZone,
  audit,
  identities,
  passwords,
  auditFilters,
  wrongCodes,
  responseTokens,
  oneAddress,
  portfolioKey,
  origins,
  composedIds,
  lives,
  planned,
]
