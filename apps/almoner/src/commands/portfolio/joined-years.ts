import { yearsOutside } from '@almoner/domain/portfolio'
import { SETTINGS, type Settings } from '../../config/definitions.ts'

/** The greatest number of years that are named. */
const SHOWN = 10

/** Names the years of organizations that `ALMONER_JOINED_YEARS` excludes, and the fix; undefined when there are none (H2). */
export const joinedAdvice = (
  { joinedYears }: Pick<Settings, 'joinedYears'>,
  joined: ReadonlyArray<number>,
): { readonly what: string; readonly fix: string } | undefined => {
  const years = yearsOutside({ joinedYears }, joined)
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
