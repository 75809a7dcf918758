import { ACTIONS, ACTOR_KINDS, DUTY_NAMES } from '@almoner/domain/access'
import {
  FEED_FIELDS,
  FEED_KINDS,
  type FieldKind,
  type FieldSet,
  LIBRARY_FIELDS,
  ownFields,
} from '@almoner/domain/content'
import { SUBJECT_KINDS } from '@almoner/domain/history'
import { PasskeyId, TotpSecret } from '@almoner/domain/managers'
import {
  IMAGE_TYPES,
  isMediaName,
  isPortfolioImageName,
  type MediaName,
  type PortfolioImageKind,
  type PortfolioImageName,
} from '@almoner/domain/media'
import { folded, LANGUAGES, TypedFields } from '@almoner/domain/values'
import { columnOf } from '../schema/item.table.ts'
import {
  type Check,
  integer,
  matching,
  type NamedImage,
  oneOf,
  type Reference,
  type Row,
  refersTo,
  type TransferTable,
  table,
  text,
} from './table.ts'

const mediaName = matching(isMediaName, 'the name of a stored image')
const imageName = matching(isPortfolioImageName, "the name of one of the portfolio's images")

const uploadOf = ({ name, bytes }: Row): NamedImage => ({
  file: { kind: 'upload', name: name as MediaName },
  bytes: Number(bytes),
})

const imageOf = (kind: PortfolioImageKind, row: Row): NamedImage => ({
  file: { kind, name: row[kind] as PortfolioImageName },
})

const CHECKS_BY_KIND: Readonly<Partial<Record<FieldKind, Check>>> = {
  url: text,
  day: matching((day) => /^\d{4}-\d\d-\d\d$/.test(day), 'a day as YYYY-MM-DD'),
}

/** The checks of the columns that a definition of fields names, where type and name are not enough. */
const ownChecks = (fields: FieldSet): Readonly<Record<string, Check>> =>
  Object.fromEntries(
    ownFields(fields).flatMap(([, { kind, property }]) => {
      const check = CHECKS_BY_KIND[kind]
      return check === undefined ? [] : [[columnOf(property), check]]
    }),
  )

const libraryRule = (row: Row): string | undefined => {
  const kinds = ['cover', 'notification']
  if (kinds.some((kind) => row[`${kind}_name`] !== null && row[`${kind}_url`] !== null))
    return 'has an image that is both stored here and elsewhere'
  const lacks = kinds.some((kind) => row[`${kind}_name`] === null && row[`${kind}_url`] === null)
  return row['status'] === 'Live' && lacks ? 'is Live and lacks an image' : undefined
}

const feedRule = ({ item_type, link, vlink, status, image_name, reason }: Row): string | undefined => {
  if (item_type === 'link' && link === null) return 'is a link without a link'
  if (item_type === 'vlink' && vlink === null) return 'is a vlink without a vlink'
  if (status === 'Live' && reason !== null) return 'is Live and has a reason for which it is not'
  const displaysImages = item_type !== 'photo' || link !== null || image_name !== null
  return status === 'Live' && !displaysImages ? 'is Live and shows nothing' : undefined
}

const ofOrganization = { references: [refersTo('organization_id', 'portfolio_organization')] }
const byRank = { key: ['organization_id', 'lang', 'rank'], ...ofOrganization } as const

/** An item of either content type uses images (D5). */
const itemOf = (contentType: 'library' | 'feed'): Reference => ({
  ...refersTo('item_id', `${contentType}_item`),
  when: (row) => row['content_type'] === contentType,
})

const labelsOf = (contentType: 'library' | 'feed'): TransferTable =>
  table(`${contentType}_label`, {
    key: ['item_id', 'label_id'],
    references: [refersTo('item_id', `${contentType}_item`), refersTo('label_id', 'label', 'label_id')],
  })

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'

const isState = (json: string): boolean => {
  const state = parsed(json)
  return isObject(state) && Object.values(state).every((value) => typeof value === 'string')
}

const areTexts = (json: string): boolean => {
  const texts = parsed(json)
  return Array.isArray(texts) && texts.every((one) => typeof one === 'string')
}

/** Images, the portfolio (H1), clients, managers with their passkeys, identities, passwords and working copies (M2, M3, M7), labels, items, their translations (J7) and the authors of posts (L3). Access tokens are not exported: clients ask for new ones. */
export const CONTENT_TABLES: ReadonlyArray<TransferTable> = [
  table('media', {
    key: ['name'],
    checks: { name: mediaName, type: oneOf(...IMAGE_TYPES) },
    images: (row) => [uploadOf(row)],
  }),
  table('portfolio_sector', {
    key: ['id'],
    checks: { logo: imageName },
    rule: ({ en, fr }) => (en === null && fr === null ? 'has no name' : undefined),
    images: (row) => [imageOf('logo', row)],
  }),
  table('portfolio_organization', {
    key: ['id'],
    checks: { logo: imageName, visual: imageName },
    derived: { folded_name: ({ name }) => folded(String(name)) },
    images: (row) => [imageOf('logo', row), imageOf('visual', row)],
  }),
  table('portfolio', { key: ['name'] }),
  table('portfolio_organization_sector', {
    key: ['organization_id', 'sector_id'],
    references: [...ofOrganization.references, refersTo('sector_id', 'portfolio_sector')],
  }),
  table('portfolio_introduction', byRank),
  table('portfolio_summary', byRank),
  table('portfolio_program', byRank),
  table('portfolio_challenge', { key: ['organization_id', 'id', 'lang'], ...ofOrganization }),
  table('portfolio_dataset', { key: ['organization_id', 'year'], ...ofOrganization }),
  table('client', {
    key: ['id'],
    checks: { name: text, scopes: text, roles: text },
    rule: ({ for_people, public: isPublic, audience }) =>
      for_people === 0 && (isPublic === 1 || audience !== null)
        ? 'is public, or has an audience, and is not for people'
        : undefined,
  }),
  table('client_secret', { key: ['client_id', 'seq'], references: [refersTo('client_id', 'client')] }),
  table('manager', { key: ['email'], checks: { name: text, duty: oneOf(...DUTY_NAMES) } }),
  table('passkey', {
    key: ['id'],
    checks: {
      id: matching(PasskeyId.is, 'the id of a passkey'),
      name: text,
      public_key: text,
      sign_count: integer(0),
    },
    references: [refersTo('email', 'manager', 'email')],
  }),
  table('manager_identity', {
    key: ['email'],
    checks: { issuer: text, subject: text },
    references: [refersTo('email', 'manager', 'email')],
  }),
  table('manager_password', {
    key: ['email'],
    checks: { hash: text, totp_secret: matching(TotpSecret.is, 'the secret of an authenticator app') },
    references: [refersTo('email', 'manager', 'email')],
  }),
  table('recovery_code', {
    key: ['digest'],
    checks: { digest: matching((digest) => /^[0-9a-f]{64}$/.test(digest), 'a digest') },
    references: [refersTo('email', 'manager_password', 'email')],
  }),
  table('working_copy', {
    key: ['email', 'key'],
    checks: {
      base_etag: text,
      title: text,
      fields: matching(TypedFields.is, 'the JSON text of an object of texts'),
    },
    references: [refersTo('email', 'manager', 'email')],
  }),
  table('working_copy_image', {
    key: ['email', 'key', 'name'],
    checks: { name: mediaName },
    references: [refersTo('email', 'manager', 'email'), refersTo('name', 'media', 'name')],
  }),
  table('label', { key: ['label_id'] }),
  table('library_item', {
    key: ['id'],
    checks: {
      revision: integer(1),
      ...ownChecks(LIBRARY_FIELDS),
      cover_name: mediaName,
      notification_name: mediaName,
    },
    references: [refersTo('cover_name', 'media', 'name'), refersTo('notification_name', 'media', 'name')],
    rule: libraryRule,
  }),
  table('feed_item', {
    key: ['id'],
    checks: {
      revision: integer(1),
      ...ownChecks(FEED_FIELDS),
      item_type: oneOf(...FEED_KINDS),
      link: text,
      vlink: text,
      image_name: mediaName,
    },
    references: [refersTo('image_name', 'media', 'name')],
    rule: feedRule,
  }),
  table('translation', {
    key: ['en_id'],
    checks: { en_base: integer(1), fr_base: integer(1) },
    rule: ({ en_base, fr_base }) =>
      en_base !== null && fr_base !== null ? 'has a base on both sides' : undefined,
    unique: 'fr_id',
    references: LANGUAGES.map((lang) => ({ ...refersTo(`${lang}_id`, 'library_item'), having: { lang } })),
  }),
  table('feed_author', {
    key: ['item_id'],
    references: [{ columns: ['item_id', 'posted_at'], table: 'feed_item', to: ['id', 'created_at'] }],
  }),
  labelsOf('library'),
  labelsOf('feed'),
  table('proposal', {
    key: ['id'],
    checks: {
      base_revision: integer(1),
      base: matching(isState, "an item's state"),
      state: matching(isState, "an item's state"),
      images: matching(areTexts, 'a list of texts'),
      actor_kind: oneOf(...ACTOR_KINDS),
      actor_id: text,
      missing: matching(areTexts, 'a list of texts'),
    },
    references: [{ ...refersTo('images', 'media', 'name'), isList: true }, itemOf('library'), itemOf('feed')],
  }),
  table('media_reference', {
    key: ['content_type', 'item_id', 'name'],
    checks: { name: mediaName },
    references: [refersTo('name', 'media', 'name'), itemOf('library'), itemOf('feed')],
  }),
]

const isChange = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['field'] === 'string' &&
  isTextOrNull(value['before']) &&
  isTextOrNull(value['after'])

const areChanges = (json: string): boolean => {
  const changes = parsed(json)
  return Array.isArray(changes) && changes.every(isChange)
}

const recordRule = ({ number, state, changes, is_latest }: Row): string | undefined => {
  if ((number === null) !== (state === null)) return 'has half a revision'
  if (state === null && changes === null) return 'says nothing of what changed'
  return number === null && is_latest === 1 ? 'is the latest revision without being one' : undefined
}

/** The records of changes, under the numbers by which they are ordered (K1). */
export const HISTORY_TABLES: ReadonlyArray<TransferTable> = [
  table('user_number', {
    key: ['id'],
    unique: 'email',
    checks: { id: integer(1) },
    numbers: { user_number: ['id'] },
  }),
  table('audit_record', {
    key: ['id'],
    checks: {
      id: integer(1),
      actor_kind: oneOf(...ACTOR_KINDS),
      action: oneOf(...ACTIONS),
      subject_kind: oneOf(...SUBJECT_KINDS),
      subject_id: text,
      changes: matching(areChanges, 'a list of changes'),
      state: matching(isState, "an item's state"),
    },
    rule: recordRule,
    // The record of an import belongs to the database that it filled: two databases with the same content have the same export.
    omits: { column: 'action', value: 'import-archive' },
    numbers: { audit_record: ['id'] },
  }),
]
