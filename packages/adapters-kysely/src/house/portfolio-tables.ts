import {
  folded,
  isPortfolioImageName,
  LANGUAGES,
  type PortfolioImageKind,
  type PortfolioImageName,
} from '@almoner/domain'
import { among, named, orNull, type Row, whole, words } from './columns.ts'
import { type HouseTable, type NamedImage, refersTo, table } from './table.ts'

const imageName = named(isPortfolioImageName, "the name of one of the portfolio's images")
const language = among(...LANGUAGES)

const imageOf =
  (kind: PortfolioImageKind) =>
  (row: Row): NamedImage => ({ file: { kind, name: row[kind] as PortfolioImageName } })
const logo = imageOf('logo')
const visual = imageOf('visual')

const OF_ORGANIZATION = [refersTo('organization_id', 'portfolio_organization', 'id')]

const PLACE = { organization_id: words, lang: language, rank: whole(0) }

/** The portfolio, its images first (H1). */
export const PORTFOLIO_TABLES: ReadonlyArray<HouseTable> = [
  table('portfolio_sector', {
    columns: { id: words, en: orNull(words), fr: orNull(words), logo: imageName },
    key: ['id'],
    rule: ({ en, fr }) => (en === null && fr === null ? 'has no name' : undefined),
    images: (row) => [logo(row)],
  }),
  table<'portfolio_organization', 'folded_name'>('portfolio_organization', {
    columns: {
      id: words,
      name: words,
      since: whole(0),
      founded: whole(0),
      website: orNull(words),
      logo: imageName,
      visual: imageName,
    },
    key: ['id'],
    derived: ({ name }) => ({ folded_name: folded(String(name)) }),
    images: (row) => [logo(row), visual(row)],
  }),
  table('portfolio', { columns: { name: words, organizations: whole(0) }, key: ['name'] }),
  table('portfolio_organization_sector', {
    columns: { organization_id: words, sector_id: words },
    key: ['organization_id', 'sector_id'],
    references: [...OF_ORGANIZATION, refersTo('sector_id', 'portfolio_sector', 'id')],
  }),
  table('portfolio_introduction', {
    columns: { ...PLACE, text: words },
    key: ['organization_id', 'lang', 'rank'],
    references: OF_ORGANIZATION,
  }),
  table('portfolio_summary', {
    columns: { ...PLACE, text: words, highlight: orNull(words) },
    key: ['organization_id', 'lang', 'rank'],
    references: OF_ORGANIZATION,
  }),
  table('portfolio_program', {
    columns: { ...PLACE, title: words, description: words },
    key: ['organization_id', 'lang', 'rank'],
    references: OF_ORGANIZATION,
  }),
  table('portfolio_challenge', {
    columns: {
      organization_id: words,
      id: whole(0),
      lang: language,
      text: words,
      highlight: orNull(words),
    },
    key: ['organization_id', 'id', 'lang'],
    references: OF_ORGANIZATION,
  }),
  table('portfolio_dataset', {
    columns: {
      organization_id: words,
      year: whole(0),
      beneficiaries: whole(0),
      age_from: orNull(words),
      age_to: orNull(words),
      staff_headcount: whole(0),
      budget: whole(0),
      budget_currency: words,
      vr_video_url: orNull(words),
    },
    key: ['organization_id', 'year'],
    references: OF_ORGANIZATION,
  }),
]
