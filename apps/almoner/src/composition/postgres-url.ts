export { type PostgresPlace, parsePostgresUrl } from '@almoner/adapters-postgres/url'
