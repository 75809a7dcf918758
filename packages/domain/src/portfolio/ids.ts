import * as E from 'fp-ts/lib/Either.js'
import {
  type Branded,
  integer,
  isStorable,
  NOT_STORABLE,
  nfcOf,
  type Refined,
  refined,
} from '../values/refined.ts'

/** The identifier of a sector, from the files (H1). */
export type SectorId = Branded<string, 'SectorId'>

/** The identifier of an organization, from the files; never a word of the paths (H1). */
export type OrganizationId = Branded<string, 'OrganizationId'>

/** The number of a challenge, the same in both languages (H1). */
export type ChallengeId = Branded<number, 'ChallengeId'>

/** In a request an identifier is opaque: one that nothing has is simply unknown (H3). All are NFC (H5). */
const asked = <A extends string>(name: string, description: string): Refined<A> =>
  refined(name, (text) => (isStorable(text) ? E.right(nfcOf(text) as A) : E.left(NOT_STORABLE)), {
    type: 'string',
    description,
  })

/** `id` of a sector in a request: any storable text, as one that nothing has is simply unknown (H3). */
export const SectorId = asked<SectorId>('SectorId', 'Identifier of the sector.')

/** `id` of an organization in a request: any storable text, as one that nothing has is simply unknown (H3). */
export const OrganizationId = asked<OrganizationId>('OrganizationId', 'Identifier of the organization.')

/** White space would part a list of ids; the rest would be lost or changed on the way through a URL's path. */
const FORM = /^[^\s\p{Cc}\p{Cf}\p{Cn}\p{Co}/\\?#%;]{1,100}$/u
const DOTS: ReadonlyArray<string> = ['.', '..']

/** What follows `/portfolio/organization/` in the interface's own paths (H1). */
export const RESERVED_IDS: ReadonlyArray<string> = [
  'sector',
  'introduction',
  'summary',
  'program',
  'challenge',
  'datasets',
]

const fresh = <A extends string>(name: string, reserved: ReadonlyArray<string>): Refined<A> =>
  refined(
    name,
    (given) => {
      const text = nfcOf(given)
      if (!isStorable(text) || !FORM.test(text) || DOTS.includes(text))
        return E.left(
          'must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
        )
      return reserved.includes(text)
        ? E.left(`must not be ${text}, which is part of a path`)
        : E.right(text as A)
    },
    { type: 'string', description: 'Identifier.' },
  )

/** A sector's identifier as a file may give it. */
export const NewSectorId = fresh<SectorId>('NewSectorId', [])

/** An organization's identifier as a file may give it: it survives a path and is no part of the interface's paths (H1). */
export const NewOrganizationId = fresh<OrganizationId>('NewOrganizationId', RESERVED_IDS)

/** The number of a challenge in a row: whole, from 0 (H1). */
export const ChallengeId = integer<ChallengeId>(
  'ChallengeId',
  0,
  Number.MAX_SAFE_INTEGER,
  'Identifier of the challenge.',
)
