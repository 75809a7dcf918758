import type { Database } from 'better-sqlite3'

/** An item's row. */
export interface Row {
  readonly id: string
  readonly status: string
  readonly restricted: number
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly created_at: string
  readonly updated_at: string
  readonly link: string
  readonly publication_date: string
  readonly cover_url: string
  readonly notification_url: string
}

const COLUMNS =
  'id, status, restricted, lang, title, description, created_at, updated_at, link, publication_date, cover_url, notification_url'

/**
 * Copies the service's items into a separate table. Times are stored as in responses, each list has an index, so that nothing is
 * sorted, and the table has row ids, so that an offset counts rows in the index without reading them.
 */
export const copyItems = (db: Database, source: string): void => {
  db.exec(`
    create table library_item (
      id text not null primary key, status text not null, restricted integer not null, lang text not null, title text not null,
      description text not null, created_at text not null, updated_at text not null, link text not null,
      publication_date text not null, cover_url text not null, notification_url text not null
    );
    create index everything on library_item (publication_date, id);
    create index published on library_item (publication_date, id) where status = 'Live' and restricted = 0;
  `)
  db.prepare('attach ? as service').run(source)
  const time = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`
  db.exec(`
    insert into library_item (${COLUMNS})
    select id, status, restricted, lang, title, description, ${time('created_at')}, ${time('updated_at')}, link, publication_date,
      coalesce(cover_url, ''), coalesce(notification_url, '') from service.library_item;
    detach service;
    analyze;
  `)
}

/** Prepares every statement once. */
export const prepareStatements = (db: Database) => {
  const list = (where: string) =>
    db.prepare<[lim: number, offset: number], Row>(
      `select ${COLUMNS} from library_item ${where} order by publication_date desc, id desc limit ? offset ?`,
    )
  return {
    everything: list(''),
    published: list("where status = 'Live' and restricted = 0"),
    add: db.prepare<Row>(
      `insert into library_item (${COLUMNS}) values (@id, @status, @restricted, @lang, @title, @description, @created_at, @updated_at,
       @link, @publication_date, @cover_url, @notification_url)`,
    ),
  }
}
