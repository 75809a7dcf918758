import type { SqlDialect } from '../../../database/database.ts'

const organizations = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table portfolio (
    name ${text} not null,
    organizations ${integer} not null
  ) ${tableOptions}`,
  `create table portfolio_sector (
    id ${text} not null primary key,
    en ${text},
    fr ${text},
    logo ${text} not null,
    check (en is not null or fr is not null)
  ) ${tableOptions}`,
  `create table portfolio_organization (
    id ${text} not null primary key,
    name ${text} not null check (name <> ''),
    folded_name ${text} not null,
    since ${integer} not null,
    founded ${integer} not null,
    website ${text},
    logo ${text} not null,
    visual ${text} not null
  ) ${tableOptions}`,
  'create index portfolio_organization_since on portfolio_organization (since, id)',
  `create table portfolio_organization_sector (
    organization_id ${text} not null references portfolio_organization (id),
    sector_id ${text} not null references portfolio_sector (id),
    primary key (organization_id, sector_id)
  ) ${tableOptions}`,
  'create index portfolio_organization_sector_sector on portfolio_organization_sector (sector_id)',
]

/** A table of texts, whose key is the order in which they are read (H3). */
const texts = (
  name: string,
  { text, integer, tableOptions }: SqlDialect,
  { own, order }: { readonly own: string; readonly order: 'rank' | 'id' },
): string =>
  `create table portfolio_${name} (
    organization_id ${text} not null references portfolio_organization (id),
    lang ${text} not null,
    ${order} ${integer} not null,
    ${own},
    primary key (organization_id, ${order === 'rank' ? 'lang, rank' : 'id, lang'})
  ) ${tableOptions}`

const datasets = ({ text, integer, tableOptions }: SqlDialect): string =>
  `create table portfolio_dataset (
    organization_id ${text} not null references portfolio_organization (id),
    year ${integer} not null,
    beneficiaries ${integer} not null,
    age_from ${text},
    age_to ${text},
    staff_headcount ${integer} not null,
    budget ${integer} not null,
    budget_currency ${text} not null,
    vr_video_url ${text},
    primary key (organization_id, year)
  ) ${tableOptions}`

/** The portfolio, as it was loaded last (H1). */
export const portfolio = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text } = dialect
  const highlighted = `text ${text} not null, highlight ${text}`
  const program = `title ${text} not null, description ${text} not null`
  return [
    ...organizations(dialect),
    texts('introduction', dialect, { own: `text ${text} not null`, order: 'rank' }),
    texts('summary', dialect, { own: highlighted, order: 'rank' }),
    texts('program', dialect, { own: program, order: 'rank' }),
    texts('challenge', dialect, { own: highlighted, order: 'id' }),
    datasets(dialect),
  ]
}
