import Database from 'better-sqlite3'

/** An item's row. */
export interface Row {
  readonly id: string
  readonly status: string
  readonly created_at: number
  readonly updated_at: number
  readonly revision: number
  readonly restricted: number
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly link: string
  readonly publication_date: string
  readonly cover_url: string | null
  readonly notification_url: string | null
}

/** The columns of a {@link Row}. */
export const COLUMNS =
  'id, status, created_at, updated_at, revision, restricted, lang, title, description, link, publication_date, cover_url, notification_url'

/** What an access token lets its client do. */
export interface Grant {
  readonly client_id: string
  readonly scopes: string
  readonly roles: string
}

/** A client with its secrets, each in a row. */
export interface Secret {
  readonly scopes: string
  readonly hash: string
}

/** A notification's row, which its date in milliseconds makes due. */
export interface NotificationRow {
  readonly id: string
  readonly lang: string
  readonly title: string
  readonly subtitle: string | null
  readonly description: string | null
  readonly due: number
}

/** Copies the service's database, so that both sides have the same tables, indexes and rows. */
export const openCopy = (source: string, file: string): Database.Database => {
  const original = new Database(source)
  original.prepare('vacuum into ?').run(file)
  original.close()
  const db = new Database(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000; analyze')
  return db
}

/** Items of a day or second in the search index: two to the power of this. */
const BLOCK = 24

/** Prepares every statement once. */
export const prepareStatements = (db: Database.Database) => {
  const list = <Values extends ReadonlyArray<string | number>>(where: string) =>
    // The values of a limit are hidden from SQLite, which otherwise prepares the statement again for each.
    db.prepare<[...Values, lim: number, offset: number], Row>(
      `select ${COLUMNS} from library_item ${where} order by publication_date desc, id desc
       limit ifnull(?, null) offset ifnull(?, null)`,
    )
  return {
    grant: db.prepare<[digest: string, now: number], Grant>(
      `select access_token.client_id, access_token.scopes, client.roles from access_token
       join client on client.id = access_token.client_id
       where digest = ? and expires_at > ? and client.disabled = 0`,
    ),
    everything: list<[]>(''),
    published: list<[today: string]>(
      "where status = 'Live' and restricted = 0 and publication_date <= ifnull(?, null)",
    ),
    one: db.prepare<[id: string], Row>(`select ${COLUMNS} from library_item where id = ?`),
    add: db.prepare<Row>(
      `insert into library_item (${COLUMNS}) values (${COLUMNS.replaceAll(/\w+/g, '@$&')})`,
    ),
    addHistory: db.prepare<[at: number, client: string, item: string, state: string]>(
      `insert into audit_record (at, actor_kind, actor_id, action, subject_kind, subject_id, number, is_latest, state)
       values (?, 'client', ?, 'create', 'library', ?, 1, 1, ?)`,
    ),
    addChange: db.prepare<[item: string]>(
      `insert into content_change (position, kind, id, aspect, rank)
       values ((select coalesce(max(position), 0) + 1 from content_change), 'library', ?, 'own', 0)`,
    ),
    addText: db.prepare<{ day: number; id: string; words: string }>(
      `insert into library_search (position, item_id, words) values (coalesce((
         select position + 1 from library_search
         where position >= cast(@day as integer) << ${BLOCK} and position < (cast(@day as integer) + 1) << ${BLOCK}
         order by position desc limit 1
       ), cast(@day as integer) << ${BLOCK}), @id, @words)`,
    ),
    addWords: db.prepare<[words: string]>(
      'insert into library_words (rowid, words) values (last_insert_rowid(), ?)',
    ),
    addNotification: db.prepare<NotificationRow>(
      `insert into notification (id, revision, lang, title, subtitle, description, due, resource_id, label_id, started)
       values (@id, 1, @lang, @title, @subtitle, @description, @due, null, null, 0)`,
    ),
    addAct: db.prepare<[at: number, client: string, notification: string]>(
      `insert into audit_record (at, actor_kind, actor_id, action, subject_kind, subject_id, is_latest, changes)
       values (?, 'client', ?, 'create-notification', 'notification', ?, 0, '[]')`,
    ),
    secrets: db.prepare<[client: string, now: number], Secret>(
      `select client.scopes, client_secret.hash from client join client_secret on client_secret.client_id = client.id
       where client.id = ? and client.disabled = 0 and (client_secret.until is null or client_secret.until > ?)`,
    ),
    appOfPeople: db.prepare<[client: string], Pick<Secret, 'scopes'>>(
      'select scopes from client where id = ? and disabled = 0 and for_people = 1 and public = 1',
    ),
    addToken: db.prepare<
      [digest: string, client: string, scopes: string, expires: number, life: number, email: string | null]
    >(
      'insert into access_token (digest, client_id, scopes, expires_at, life, email) values (?, ?, ?, ?, ?, ?)',
    ),
    begin: db.prepare('begin immediate'),
    commit: db.prepare('commit'),
  }
}
