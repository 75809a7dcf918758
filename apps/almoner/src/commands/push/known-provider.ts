import { PROVIDERS, type Provider } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Failure, misused } from '../../cli/failure.ts'

const isProvider = (name: string): name is Provider => (PROVIDERS as ReadonlyArray<string>).includes(name)

/** A provider by its name, or wrong usage of the argument or option that should hold one. */
export const knownProvider = (name: string, argument: string): E.Either<Failure, Provider> =>
  isProvider(name) ? E.right(name) : E.left(misused(`${argument} must be one of ${PROVIDERS.join(', ')}`))
