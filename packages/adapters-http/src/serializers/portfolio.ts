import {
  type Challenge,
  type Dataset,
  type Introduction,
  LANGUAGES,
  type Organization,
  type PortfolioHead,
  type PortfolioImageName,
  type Program,
  portfolioImagePath,
  type Sector,
  type Summary,
} from '@almoner/domain'
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

export const encodeOrganization = ({
  id,
  name,
  since,
  founded,
  website,
  logo,
  visual,
}: Organization<PortfolioImageName>): t.TypeOf<typeof OrganizationJson> => ({
  organization: {
    id,
    name,
    since: int(since),
    founded: int(founded),
    website: orEmpty(website),
    logoUri: portfolioImagePath({ kind: 'logo', name: logo }),
    visualUri: portfolioImagePath({ kind: 'visual', name: visual }),
  },
})

/** An introduction as callers see it. */
export const IntroductionJson = under('introduction', { id: t.string, lang: LANG, text: t.string })

export const encodeIntroduction = ({
  organization,
  lang,
  text,
}: Introduction): t.TypeOf<typeof IntroductionJson> => ({ introduction: { id: organization, lang, text } })

/** A summary as callers see it. */
export const SummaryJson = under('summary', { id: t.string, lang: LANG, text: t.string, highlight: t.string })

export const encodeSummary = ({
  organization,
  lang,
  text,
  highlight,
}: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: organization, lang, text, highlight: orEmpty(highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = under('programs', {
  id: t.string,
  lang: LANG,
  programTitle: t.string,
  programDescription: t.string,
})

export const encodeProgram = ({
  organization,
  lang,
  title,
  description,
}: Program): t.TypeOf<typeof ProgramJson> => ({
  programs: { id: organization, lang, programTitle: title, programDescription: description },
})

/** A challenge as callers see it: the id is its own number. */
export const ChallengeJson = under('challenge', {
  id: t.Int,
  lang: LANG,
  text: t.string,
  highlight: t.string,
})

export const encodeChallenge = ({
  id,
  lang,
  text,
  highlight,
}: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(id), lang, text, highlight: orEmpty(highlight) },
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
