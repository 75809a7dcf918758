import { useMessages } from '../../session/session.tsx'
import { AllFindings } from '../findings.tsx'
import type { Plan } from './load-api.ts'

/** The numbers of rows by table. */
const Tables = ({ tables }: Pick<Plan, 'tables'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="plan-scroll" aria-label={words.byTable} tabIndex={0}>
      <table className="plan-table">
        <caption className="visually-hidden">{words.byTable}</caption>
        <thead>
          <tr>
            <th scope="col">{words.table}</th>
            <th scope="col">{words.added}</th>
            <th scope="col">{words.changed}</th>
            <th scope="col">{words.removed}</th>
            <th scope="col">{words.kept}</th>
          </tr>
        </thead>
        <tbody>
          {tables.map(({ table, load, added, changed, removed, kept }) => (
            <tr key={table}>
              <th scope="row">
                {words.tables[table]} <span className="hint">{words.loads[load]}</span>
              </th>
              <td>{added}</td>
              <td>{changed}</td>
              <td>{removed}</td>
              <td>{kept}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The organizations that a load adds, changes or removes, each with the tables of its rows. */
const Organizations = ({ organizations }: Pick<Plan, 'organizations'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <ul className="plan-organizations">
      {organizations.map(({ id, name, kind, tables }) => (
        <li key={id}>
          <p>
            <strong>{name}</strong> <span className={`mark ${kind}`}>{words.kinds[kind]}</span>
          </p>
          {kind === 'changed' && (
            <p className="hint">
              {tables
                .map(({ table, ...counts }) => words.tableChange(words.tables[table], counts))
                .join(' · ')}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Remarks about the files, which prevent no load. */
const Remarks = ({ images, imageCount, years }: Pick<Plan, 'images' | 'imageCount' | 'years'>) => {
  const { portfolioLoad: words } = useMessages()
  if (images.length === 0 && years.length === 0) return null
  return (
    <details className="notice amber">
      <summary>{words.remarks(imageCount + years.length)}</summary>
      <ul>
        {years.map((year) => (
          <li key={year}>{words.yearOutside(year)}</li>
        ))}
        {images.map(({ kind, file, width, height }) => (
          <li key={`${kind}/${file}`}>{words.unusualImage(`${kind}/${file}`, width, height)}</li>
        ))}
        {imageCount > images.length && <li>{words.moreFaults(imageCount - images.length)}</li>}
      </ul>
    </details>
  )
}

/** The changes of a load, and remarks about its files. */
export const PlanView = ({ plan }: { readonly plan: Plan }) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <>
      <section className="portfolio-part" aria-labelledby="plan-title">
        <h2 id="plan-title">{words.changes(plan.organizationCount)}</h2>
        <Organizations organizations={plan.organizations} />
        {plan.organizationCount > plan.organizations.length && (
          <p>{words.moreFaults(plan.organizationCount - plan.organizations.length)}</p>
        )}
        <Tables tables={plan.tables} />
      </section>
      <Remarks images={plan.images} imageCount={plan.imageCount} years={plan.years} />
      <AllFindings findings={plan.findings.map(({ finding }) => finding)} count={plan.findingCount} />
    </>
  )
}

/** Returns whether a load would change anything. */
export const changesAnything = ({ tables, name }: Plan, present: string): boolean =>
  name !== present || tables.some(({ added, changed, removed }) => added + changed + removed > 0)
