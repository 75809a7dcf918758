import {
  PORTFOLIO_IMAGE_PATH,
  type PortfolioImageKind,
  type PortfolioImageName,
  portfolioImagePath,
} from '@almoner/domain/media'
import {
  Age,
  type Challenge,
  Currency,
  type Dataset,
  type Introduction,
  type Organization,
  OrganizationId,
  type PortfolioHead,
  PortfolioName,
  PortfolioText,
  type Program,
  type Sector,
  SectorId,
  type Summary,
} from '@almoner/domain/portfolio'
import { LANGUAGES } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  count,
  emptyOr,
  int,
  LANG,
  orEmpty,
  text as textCodec,
  textLike,
  URL_OR_EMPTY,
  under,
} from './codecs.ts'

const YEAR = count('Year.', 2025)

const imagePath = (kind: PortfolioImageKind) =>
  textCodec('Path of the image.', `${PORTFOLIO_IMAGE_PATH}${kind}/XkA3b5Zq9f.png`, {
    format: 'uri-reference',
  })

/** The portfolio as callers see it. */
export const PortfolioJson = under('portfolio', {
  name: textLike(PortfolioName),
  organizations: count('Number of organizations.', 24),
})

export const encodePortfolio = ({ name, organizations }: PortfolioHead): t.TypeOf<typeof PortfolioJson> => ({
  portfolio: { name, organizations: int(organizations) },
})

/** A sector as callers see it: a label for each language that it has a name in. */
export const SectorJson = under('sector', {
  sectorId: textLike(SectorId),
  labels: t.array(
    under(
      'label',
      { sectorId: textLike(SectorId), sectorName: textLike(PortfolioName), lang: LANG },
      'SectorLabel',
    ),
  ),
  logoUri: imagePath('logo'),
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
  id: textLike(OrganizationId),
  name: textLike(PortfolioName),
  since: YEAR,
  founded: YEAR,
  website: URL_OR_EMPTY,
  logoUri: imagePath('logo'),
  visualUri: imagePath('visual'),
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
export const IntroductionJson = under('introduction', {
  id: textLike(OrganizationId),
  lang: LANG,
  text: textLike(PortfolioText),
})

export const encodeIntroduction = (text: Introduction): t.TypeOf<typeof IntroductionJson> => ({
  introduction: { id: text.organization, lang: text.lang, text: text.text },
})

/** A summary as callers see it. */
export const SummaryJson = under('summary', {
  id: textLike(OrganizationId),
  lang: LANG,
  text: textLike(PortfolioText),
  highlight: emptyOr(PortfolioText),
})

export const encodeSummary = (text: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: text.organization, lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = under(
  'programs',
  {
    id: textLike(OrganizationId),
    lang: LANG,
    programTitle: textLike(PortfolioName),
    programDescription: textLike(PortfolioText),
  },
  'Program',
)

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
  text: textLike(PortfolioText),
  highlight: emptyOr(PortfolioText),
})

export const encodeChallenge = (text: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(text.id), lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A dataset as callers see it. */
export const DatasetJson = under('dataset', {
  id: textLike(OrganizationId),
  year: YEAR,
  beneficiaries: count('Number of people.', 120),
  ageFrom: emptyOr(Age),
  ageTo: emptyOr(Age),
  staffHeadcount: count('Number of people.', 9),
  budget: count('Amount in whole units of the currency.', 48000),
  budgetCurrency: textLike(Currency),
  vrVideoUrl: URL_OR_EMPTY,
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
