import { ACTIONS, ACTOR_KINDS } from '@almoner/domain/access'
import { type OlderPublication, presentValue } from '@almoner/domain/content'
import { type AuditRecord, type FieldChange, type Revision, SUBJECT_KINDS } from '@almoner/domain/history'
import type { MediaAddresses } from '@almoner/domain/media'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, literals, TIME, text as textCodec, under } from './codecs.ts'
import { CounterpartJson, encodeCounterpart } from './content.ts'

/** Who made a change (K1). */
export const ActorJson = t.strict(
  { kind: literals(ACTOR_KINDS), id: textCodec('Identifier of the actor.', 'website') },
  'Actor',
)

/** A field with its values before and after a change (K1). */
export const FieldChangeJson = t.strict(
  {
    field: textCodec('Name of the field.', 'itemTitle'),
    before: t.union([textCodec('Value before.', 'Our year'), t.null]),
    after: t.union([textCodec('Value after.', 'Our year in figures'), t.null]),
  },
  'FieldChange',
)

/** Who changed what, and when: the common members of a record. */
const ACT = {
  at: TIME,
  actor: ActorJson,
  action: literals(ACTIONS, 'Action'),
  changes: t.array(FieldChangeJson),
}

/** A library item that is older than its counterpart, with the words that changed there (J8). */
export const OlderJson = under(
  'publication',
  {
    itemId: t.string,
    counterpart: CounterpartJson,
    changes: ACT.changes,
  },
  'OlderPublication',
)

/** Writes a library item that is older than its counterpart. */
export const encodeOlder = ({ itemId, counterpart }: OlderPublication): t.OutputOf<typeof OlderJson> => ({
  publication: { itemId, counterpart: encodeCounterpart(counterpart), changes: [...counterpart.changes] },
})

/** A revision of an item as callers see it (K2). */
export const RevisionJson = under('revision', { number: t.Int, ...ACT })

/** A record of the audit as operators see it (K4). `number` is the revision that it made, null where it made none. */
export const AuditJson = under(
  'record',
  {
    ...ACT,
    subject: t.strict({ kind: literals(SUBJECT_KINDS), id: t.string }),
    number: t.union([t.Int, t.null]),
  },
  'AuditRecord',
)

/** Writes changes of fields; images have their present addresses (D3). */
export const encodeChanges = (
  addresses: MediaAddresses,
): ((changes: ReadonlyArray<FieldChange>) => Array<t.OutputOf<typeof FieldChangeJson>>) => {
  const present = presentValue(addresses)
  return (changes) =>
    changes.map(({ field, before, after }) => ({
      field,
      before: present(field, before),
      after: present(field, after),
    }))
}

const encodeAct = (addresses: MediaAddresses) => {
  const encode = encodeChanges(addresses)
  return ({ at, actor, action, changes }: AuditRecord) => ({
    at: toRfc3339(at),
    actor: { kind: actor.kind, id: actor.id },
    action,
    changes: encode(changes),
  })
}

/** Writes a revision; its images have their present addresses (D3). */
export const encodeRevision = (
  addresses: MediaAddresses,
): ((revision: Revision) => t.OutputOf<typeof RevisionJson>) => {
  const encode = encodeAct(addresses)
  return (revision) => ({ revision: { number: int(revision.number.value), ...encode(revision) } })
}

/** Writes a record of the audit; its images have their present addresses (D3). */
export const encodeAudit = (
  addresses: MediaAddresses,
): ((record: AuditRecord) => t.OutputOf<typeof AuditJson>) => {
  const encode = encodeAct(addresses)
  return (record) => ({
    record: {
      ...encode(record),
      subject: { kind: record.subject.kind, id: record.subject.id },
      number: O.toNullable(O.map(int)(record.number)),
    },
  })
}
