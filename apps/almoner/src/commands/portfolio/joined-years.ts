import { yearsOutside } from '@almoner/domain'
import { SETTINGS, type Settings } from '../../config/definitions.ts'

/** Organizations whose years `joined` refuses, and how to have it take them. */
export interface JoinedAdvice {
  readonly what: string
  readonly fix: string
}

/** So many years are named. */
const SHOWN = 10

/** Says which years of organizations lie outside of `ALMONER_JOINED_YEARS`; undefined when none does (H2). */
export const joinedAdvice = (
  { joinedYears }: Pick<Settings, 'joinedYears'>,
  organizations: ReadonlyArray<{ readonly since: number }>,
): JoinedAdvice | undefined => {
  const years = yearsOutside({ joinedYears }, organizations)
  if (years.length === 0) return undefined
  const { name } = SETTINGS.joinedYears
  const { first, last } = joinedYears
  const named = [...years.slice(0, SHOWN).map(String), ...(years.length > SHOWN ? ['…'] : [])].join(', ')
  const [least, greatest] = [Math.min(first, ...years), Math.max(last, ...years)]
  return {
    what: `organizations joined in ${named}, and ${name} is ${first}-${last}: ?joined= refuses those years`,
    fix: `set ${name}=${least}-${greatest}`,
  }
}
