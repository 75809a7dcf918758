import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { Year } from '../../portfolio/numbers.ts'
import type { PortfolioPolicy } from '../../ports/of-portfolio.ts'
import { type FieldError, fieldError, type RawParameters, readField } from '../../values/parameters.ts'

/** Returns the error of a year in `joined` (H2). */
export const joinedFaults = (
  { joinedYears: { first, last } }: Pick<PortfolioPolicy, 'joinedYears'>,
  joined: number | undefined,
): ReadonlyArray<FieldError> =>
  joined === undefined || (joined >= first && joined <= last)
    ? []
    : [fieldError('joined', `must be a year from ${first} to ${last}`)]

/** Returns the years in which organizations joined and for which `joined` cannot ask (H2). */
export const yearsOutside = (
  policy: Pick<PortfolioPolicy, 'joinedYears'>,
  joined: ReadonlyArray<number>,
): ReadonlyArray<number> => joined.filter((year) => joinedFaults(policy, year).length > 0)

/** Returns the error of `joined` in a request that is rejected anyway, so that one response names every bad field (I1). */
export const makeFurtherYearErrors =
  (policy: Pick<PortfolioPolicy, 'joinedYears'>) =>
  (caller: Caller, raw: RawParameters): TE.TaskEither<InsufficientScope, ReadonlyArray<FieldError>> =>
    permitted(
      'listOrganizations',
      caller,
    )(() => TE.right(joinedFaults(policy, readField(Year, raw, 'joined'))))
