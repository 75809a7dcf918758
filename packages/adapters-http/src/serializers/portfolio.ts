import {
  LANGUAGES,
  type Organization,
  type PortfolioHead,
  type PortfolioImageName,
  portfolioImagePath,
  type Sector,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { whole } from './int.ts'
import { LANG } from './literals.ts'
import { orEmpty } from './or-empty.ts'

/** The portfolio as callers see it. */
export const PortfolioAnswer = t.strict({ portfolio: t.strict({ name: t.string, organizations: t.Int }) })

export const encodePortfolio = ({
  name,
  organizations,
}: PortfolioHead): t.TypeOf<typeof PortfolioAnswer> => ({
  portfolio: { name, organizations: whole(organizations) },
})

/** A sector as callers see it: a label for each language that it has a name in. */
export const SectorAnswer = t.strict({
  sector: t.strict({
    sectorId: t.string,
    labels: t.array(t.strict({ label: t.strict({ sectorId: t.string, sectorName: t.string, lang: LANG }) })),
    logoUri: t.string,
  }),
})

export const encodeSector = ({
  id,
  names,
  logo,
}: Sector<PortfolioImageName>): t.TypeOf<typeof SectorAnswer> => ({
  sector: {
    sectorId: id,
    labels: LANGUAGES.flatMap((lang) => {
      const name = names[lang]
      return O.isSome(name) ? [{ label: { sectorId: id, sectorName: name.value, lang } }] : []
    }),
    logoUri: portfolioImagePath({ kind: 'logo', name: logo }),
  },
})

/** An organization as callers see it. */
export const OrganizationAnswer = t.strict({
  organization: t.strict({
    id: t.string,
    name: t.string,
    since: t.Int,
    founded: t.Int,
    website: t.string,
    logoUri: t.string,
    visualUri: t.string,
  }),
})

export const encodeOrganization = ({
  id,
  name,
  since,
  founded,
  website,
  logo,
  visual,
}: Organization<PortfolioImageName>): t.TypeOf<typeof OrganizationAnswer> => ({
  organization: {
    id,
    name,
    since: whole(since),
    founded: whole(founded),
    website: orEmpty(website),
    logoUri: portfolioImagePath({ kind: 'logo', name: logo }),
    visualUri: portfolioImagePath({ kind: 'visual', name: visual }),
  },
})
