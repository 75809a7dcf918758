import { type PortfolioImageName, portfolioImagePath } from '@almoner/domain/media'
import type {
  Challenge,
  Dataset,
  Introduction,
  Organization,
  PortfolioHead,
  Program,
  Sector,
  Summary,
} from '@almoner/domain/portfolio'
import { LANGUAGES } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, orEmpty, under } from './codecs.ts'

/** The portfolio as callers see it. */
export const PortfolioJson = under('portfolio', { name: t.string, organizations: t.Int })

export const encodePortfolio = ({ name, organizations }: PortfolioHead): t.TypeOf<typeof PortfolioJson> => ({
  portfolio: { name, organizations: int(organizations) },
})

/** A sector as callers see it: a label for each language that it has a name in. */
export const SectorJson = under('sector', {
  sectorId: t.string,
  labels: t.array(t.strict({ label: t.strict({ sectorId: t.string, sectorName: t.string, lang: LANG }) })),
  logoUri: t.string,
})

export const encodeSector = ({
  id,
  names,
  logo,
}: Sector<PortfolioImageName>): t.TypeOf<typeof SectorJson> => ({
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
export const OrganizationJson = under('organization', {
  id: t.string,
  name: t.string,
  since: t.Int,
  founded: t.Int,
  website: t.string,
  logoUri: t.string,
  visualUri: t.string,
})

export const encodeOrganization = (
  organization: Organization<PortfolioImageName>,
): t.TypeOf<typeof OrganizationJson> => ({
  organization: {
    id: organization.id,
    name: organization.name,
    since: int(organization.since),
    founded: int(organization.founded),
    website: orEmpty(organization.website),
    logoUri: portfolioImagePath({ kind: 'logo', name: organization.logo }),
    visualUri: portfolioImagePath({ kind: 'visual', name: organization.visual }),
  },
})

/** An introduction as callers see it. */
export const IntroductionJson = under('introduction', { id: t.string, lang: LANG, text: t.string })

export const encodeIntroduction = (text: Introduction): t.TypeOf<typeof IntroductionJson> => ({
  introduction: { id: text.organization, lang: text.lang, text: text.text },
})

/** A summary as callers see it. */
export const SummaryJson = under('summary', { id: t.string, lang: LANG, text: t.string, highlight: t.string })

export const encodeSummary = (text: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: text.organization, lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = under('programs', {
  id: t.string,
  lang: LANG,
  programTitle: t.string,
  programDescription: t.string,
})

export const encodeProgram = (text: Program): t.TypeOf<typeof ProgramJson> => ({
  programs: {
    id: text.organization,
    lang: text.lang,
    programTitle: text.title,
    programDescription: text.description,
  },
})

/** A challenge as callers see it: the id is its own number. */
export const ChallengeJson = under('challenge', {
  id: t.Int,
  lang: LANG,
  text: t.string,
  highlight: t.string,
})

export const encodeChallenge = (text: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(text.id), lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A dataset as callers see it. */
export const DatasetJson = under('dataset', {
  id: t.string,
  year: t.Int,
  beneficiaries: t.Int,
  ageFrom: t.string,
  ageTo: t.string,
  staffHeadcount: t.Int,
  budget: t.Int,
  budgetCurrency: t.string,
  vrVideoUrl: t.string,
})

export const encodeDataset = (dataset: Dataset): t.TypeOf<typeof DatasetJson> => ({
  dataset: {
    id: dataset.organization,
    year: int(dataset.year),
    beneficiaries: int(dataset.beneficiaries),
    ageFrom: orEmpty(dataset.ageFrom),
    ageTo: orEmpty(dataset.ageTo),
    staffHeadcount: int(dataset.staffHeadcount),
    budget: int(dataset.budget),
    budgetCurrency: dataset.budgetCurrency,
    vrVideoUrl: orEmpty(dataset.vrVideoUrl),
  },
})
