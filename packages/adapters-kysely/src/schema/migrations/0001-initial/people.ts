import type { SqlDialect } from '../../../database/database.ts'

/** Users and their devices (F1, F4), devices that were detached as unregistered (G5), and the epoch that fixes recipients (G4). */
export const people = ({
  text,
  integer,
  identity,
  tableOptions,
  keyedOptions,
}: SqlDialect): ReadonlyArray<string> => [
  `create table person (
    email ${text} not null primary key,
    lang ${text} not null,
    subscribed ${integer} not null check (subscribed in (0, 1))
  ) ${keyedOptions}`,
  `create table device (
    id ${identity},
    token_digest ${text} not null unique,
    token ${text} not null,
    email ${text} not null references person (email),
    kind ${text} not null,
    attached_at ${integer} not null,
    epoch ${integer} not null,
    lang ${text} not null,
    subscribed ${integer} not null check (subscribed in (0, 1))
  ) ${tableOptions}`,
  'create index device_email on device (email, id)',
  'create index device_audience on device (lang, id, kind) where subscribed = 1',
  "create index device_unroutable on device (id) where kind = 'unroutable'",
  `create table dead_device (
    id ${identity},
    token_digest ${text} not null unique,
    token ${text} not null,
    email ${text} not null,
    kind ${text} not null,
    attached_at ${integer} not null,
    detached_at ${integer} not null
  ) ${tableOptions}`,
  'create index dead_device_time on dead_device (detached_at, id)',
  'create index dead_device_kind on dead_device (kind, detached_at, id)',
  'create index dead_device_email on dead_device (email)',
  `create table epoch (
    id ${integer} not null primary key check (id = 1),
    value ${integer} not null
  ) ${tableOptions}`,
  'insert into epoch (id, value) values (1, 1)',
]

/** The ways of managers to sign in (M3), and their wrong codes after a right password, as a JSON array of moments (M9). */
const credentials = ({ text, integer, tableOptions, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table one_time_secret (
    digest ${text} not null primary key,
    purpose ${text} not null,
    email ${text} references manager (email),
    expires_at ${integer} not null,
    life ${integer}
  ) ${keyedOptions}`,
  'create index one_time_secret_email on one_time_secret (email)',
  'create index one_time_secret_expires_at on one_time_secret (expires_at)',
  `create table passkey (
    id ${text} not null primary key,
    email ${text} not null references manager (email),
    name ${text} not null,
    public_key ${text} not null,
    sign_count ${integer} not null,
    created_at ${integer} not null,
    last_used_at ${integer}
  ) ${tableOptions}`,
  'create index passkey_email on passkey (email, created_at)',
  `create table manager_identity (
    email ${text} not null primary key references manager (email),
    issuer ${text} not null,
    subject ${text} not null,
    linked_at ${integer} not null,
    last_used_at ${integer} not null
  ) ${tableOptions}`,
  'create unique index manager_identity_subject on manager_identity (subject, issuer)',
  `create table manager_password (
    email ${text} not null primary key references manager (email),
    hash ${text} not null,
    totp_secret ${text} not null,
    used_step ${integer} not null,
    changed_at ${integer} not null,
    last_used_at ${integer}
  ) ${keyedOptions}`,
  `create table recovery_code (
    digest ${text} not null primary key,
    email ${text} not null references manager_password (email)
  ) ${keyedOptions}`,
  'create index recovery_code_email on recovery_code (email)',
  // The row without an address takes the writes of attempts that count nowhere, so that they take as long.
  `create table wrong_code (
    email ${text} not null primary key,
    moments ${text} not null
  ) ${keyedOptions}`,
]

/** Managers with their sessions, credentials and working copies (M2 to M4, M7). */
export const managers = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text, integer, tableOptions, keyedOptions } = dialect
  return [
    `create table manager (
    email ${text} not null primary key,
    name ${text} not null,
    lang ${text} not null,
    duty ${text} not null check (duty in ('editor', 'operator')),
    disabled ${integer} not null check (disabled in (0, 1)),
    time_zone ${text}
  ) ${tableOptions}`,
    `create table manager_session (
    digest ${text} not null primary key,
    email ${text} not null references manager (email),
    opened_at ${integer} not null,
    last_seen_at ${integer} not null,
    idle_ends_at ${integer} not null,
    ends_at ${integer} not null,
    confirmed_at ${integer} not null,
    browser ${text} not null
  ) ${keyedOptions}`,
    'create index manager_session_email on manager_session (email, opened_at)',
    'create index manager_session_idle_ends_at on manager_session (idle_ends_at)',
    ...credentials(dialect),
    `create table working_copy (
    email ${text} not null references manager (email),
    key ${text} not null,
    content_type ${text} not null check (content_type in ('library', 'feed')),
    base_etag ${text} not null,
    title ${text} not null,
    fields ${text} not null,
    updated_at ${integer} not null,
    primary key (email, key)
  ) ${tableOptions}`,
    'create index working_copy_updated_at on working_copy (updated_at)',
  ]
}
