import { type Dataset, type DatasetQuery, datasetCursor } from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import { condition } from '../../database/query.ts'
import { DATASET_COLUMNS, type DatasetRow } from '../../schema/portfolio.table.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'

export const datasetRow = (dataset: Dataset): DatasetRow => ({
  organization_id: dataset.organization,
  year: dataset.year,
  beneficiaries: dataset.beneficiaries,
  age_from: O.toNullable(dataset.ageFrom),
  age_to: O.toNullable(dataset.ageTo),
  staff_headcount: dataset.staffHeadcount,
  budget: dataset.budget,
  budget_currency: dataset.budgetCurrency,
  vr_video_url: O.toNullable(dataset.vrVideoUrl),
})

/** Datasets, by year (H3). */
export const datasetTable: OrderedTable<Dataset, DatasetRow, DatasetQuery, number> = {
  table: 'portfolio_dataset',
  columns: DATASET_COLUMNS,
  fromRow: (row) => ({
    organization: row.organization_id,
    year: row.year,
    beneficiaries: row.beneficiaries,
    ageFrom: O.fromNullable(row.age_from),
    ageTo: O.fromNullable(row.age_to),
    staffHeadcount: row.staff_headcount,
    budget: row.budget,
    budgetCurrency: row.budget_currency,
    vrVideoUrl: O.fromNullable(row.vr_video_url),
  }),
  cursorOf: datasetCursor,
  order: () => ({ direction: 'asc', columns: ['year'], cells: (year) => [year] }),
  conditions: ({ organization, year }) => [
    condition('organization_id = ?', organization),
    ...(O.isSome(year) ? [condition('year = ?', year.value)] : []),
  ],
}
