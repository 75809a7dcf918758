import { ACTIONS, ACTOR_KINDS, presentValue, type Revision } from '@almoner/domain/history'
import type { MediaAddresses } from '@almoner/domain/library'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { int, literals, under } from './codecs.ts'

const TextOrNull = t.union([t.string, t.null])

/** A revision of an item as callers see it (K2). */
export const RevisionJson = under('revision', {
  number: t.Int,
  at: t.string,
  actor: t.strict({ kind: literals(ACTOR_KINDS), id: t.string }),
  action: literals(ACTIONS),
  changes: t.array(t.strict({ field: t.string, before: TextOrNull, after: TextOrNull })),
})

/** Writes a revision; its images have their present addresses (D3). */
export const encodeRevision =
  (addresses: MediaAddresses) =>
  ({ number, at, actor, action, changes }: Revision): t.OutputOf<typeof RevisionJson> => {
    const present = presentValue(addresses)
    return {
      revision: {
        number: int(number.value),
        at: toRfc3339(at),
        actor: { kind: actor.kind, id: actor.id },
        action,
        changes: changes.map(({ field, before, after }) => ({
          field,
          before: present(field, before),
          after: present(field, after),
        })),
      },
    }
  }
