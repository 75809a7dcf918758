import type { PortfolioImageName } from '@almoner/domain/media'
import type {
  Age,
  Challenge,
  ChallengeId,
  Currency,
  Dataset,
  OrganizationId,
  OrganizationInSectors,
  PortfolioContent,
  PortfolioName,
  PortfolioText,
  Program,
  Sector,
  SectorId,
  Summary,
} from '@almoner/domain/portfolio'
import type { Language, WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

const image = (stem: string): PortfolioImageName => `${stem}.0123456789abcdef.svg` as PortfolioImageName

/** A sector with a name in each language. */
export const sampleSector = (
  id: string,
  over: Partial<Sector<PortfolioImageName>> = {},
): Sector<PortfolioImageName> => ({
  id: id as SectorId,
  names: {
    en: O.some(`${id} in English` as PortfolioName),
    fr: O.some(`${id} en français` as PortfolioName),
  },
  logo: image('sector'),
  ...over,
})

/** An organization in no sector. */
export const sampleOrganization = (
  id: string,
  over: Partial<OrganizationInSectors<PortfolioImageName>> = {},
): OrganizationInSectors<PortfolioImageName> => ({
  id: id as OrganizationId,
  name: `Organization ${id}` as PortfolioName,
  since: 2016,
  founded: 1999,
  website: O.some('https://example.org/?q=é' as WebUrl),
  sectors: [],
  logo: image('logo'),
  visual: image('visual'),
  ...over,
})

const common = (organization: string, lang: Language, rank: number) => ({
  organization: organization as OrganizationId,
  lang,
  rank,
})

const text = (words: string): PortfolioText => `${words} "quoted",\nin two lines 日本語 😀` as PortfolioText

/** The summary at a position; every other one has a highlight. */
export const sampleSummary = (organization: string, lang: Language, rank = 0): Summary => ({
  ...common(organization, lang, rank),
  text: text(`Summary ${rank} of ${organization}`),
  highlight: rank % 2 === 0 ? O.some('quoted' as PortfolioText) : O.none,
})

/** The program at a position. */
export const sampleProgram = (organization: string, lang: Language, rank = 0): Program => ({
  ...common(organization, lang, rank),
  title: `Program ${rank}` as PortfolioName,
  description: text(`Program ${rank} of ${organization}`),
})

/** A challenge in one language; those of even ids have a highlight. */
export const sampleChallenge = (organization: string, id: number, lang: Language): Challenge => ({
  organization: organization as OrganizationId,
  id: id as ChallengeId,
  lang,
  text: text(`Challenge ${id}`),
  highlight: id % 2 === 0 ? O.some('two lines' as PortfolioText) : O.none,
})

/** A dataset of an organization, with the largest budget that a number can represent exactly. */
export const sampleDataset = (organization: string, year: number, over: Partial<Dataset> = {}): Dataset => ({
  organization: organization as OrganizationId,
  year,
  beneficiaries: 1200,
  ageFrom: O.none,
  ageTo: O.none,
  staffHeadcount: 12,
  budget: Number.MAX_SAFE_INTEGER,
  budgetCurrency: 'EUR' as Currency,
  vrVideoUrl: O.none,
  ...over,
})

/** A small portfolio in which every table has rows, in the order in which it is returned. */
export const samplePortfolio = (): PortfolioContent => ({
  name: 'The portfolio',
  sectors: [
    sampleSector('arts', { names: { en: O.none, fr: O.some('Arts' as PortfolioName) } }),
    sampleSector('health'),
    sampleSector('water'),
  ],
  organizations: [
    sampleOrganization('acme', { sectors: ['health' as SectorId, 'water' as SectorId] }),
    sampleOrganization('zenith', { since: 2018, website: O.none }),
  ],
  introductions: [
    { ...common('acme', 'en', 0), text: text('First') },
    { ...common('acme', 'en', 1), text: text('Second') },
    { ...common('acme', 'fr', 0), text: text('Premier') },
    { ...common('zenith', 'fr', 0), text: text('Zénith') },
  ],
  summaries: [sampleSummary('acme', 'en'), sampleSummary('acme', 'en', 1), sampleSummary('acme', 'fr')],
  programs: [
    ...[0, 1, 2].map((rank) => sampleProgram('acme', 'en', rank)),
    ...[0, 1].map((rank) => sampleProgram('acme', 'fr', rank)),
    sampleProgram('zenith', 'en'),
  ],
  challenges: [
    sampleChallenge('acme', 2, 'en'),
    sampleChallenge('acme', 2, 'fr'),
    sampleChallenge('acme', 10, 'en'),
    sampleChallenge('zenith', 3, 'fr'),
  ],
  datasets: [
    sampleDataset('acme', 2015),
    sampleDataset('acme', 2017, { beneficiaries: 0, vrVideoUrl: O.some('https://example.org/vr' as WebUrl) }),
    sampleDataset('zenith', 2016, { ageFrom: O.some('6' as Age), ageTo: O.some('14' as Age) }),
  ],
})
