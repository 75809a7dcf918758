import { LABEL_NOT_FOUND, type Label, type LeftTopics } from '@almoner/domain/content'
import { CONTENT_TYPES } from '@almoner/domain/history'
import { addMillis, compareText } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'

const byId = (labels: ReadonlyArray<Label>) => [...labels].sort((a, b) => compareText(a.labelId, b.labelId))

/** Faults of labels. */
export const LABEL_FAULTS: Faults<'labels'> = {
  labels: {
    'lists labels by identifier': [
      'library: E1: labels are returned in the order of the file',
      ({ all }) => ({ all: returning(all, byId) }),
    ],
    'adds loaded labels to the earlier ones': [
      'library: E1: labels are returned in the order of the file',
      ({ all, replaceAll }) => ({
        replaceAll: (labels, act) =>
          pipe(
            all(),
            TE.flatMap((earlier) =>
              replaceAll([...labels, ...earlier.filter((one) => !labels.includes(one))], act),
            ),
          ),
      }),
    ],
    'keeps the names of known labels': [
      'feed: E1: loading renames an attached label',
      ({ all, replaceAll }) => ({
        replaceAll: (labels, act) =>
          pipe(
            all(),
            TE.flatMap((earlier) =>
              replaceAll(
                labels.map((label) => earlier.find(({ labelId }) => labelId === label.labelId) ?? label),
                act,
              ),
            ),
          ),
      }),
    ],
    'ignores a load that omits an attached label': [
      'library: E1: a load that omits an attached label fails and names it',
      ({ replaceAll }) => ({
        replaceAll: (labels, act) =>
          pipe(
            replaceAll(labels, act),
            TE.orElse((failure) =>
              failure._tag === 'LabelsInUse'
                ? TE.right({ people: 0, everything: 0 })
                : TE.left<typeof failure, LeftTopics>(failure),
            ),
          ),
      }),
    ],
    'counts no person who loses a topic': [
      'F6: a load takes the labels that it removes from every preference',
      ({ replaceAll }) => ({
        replaceAll: returning(replaceAll, () => ({ people: 0, everything: 0 })),
      }),
    ],
    'names one of the attached labels that a load omits': [
      'library: E1: a load that omits an attached label fails and names it',
      ({ replaceAll }) => ({
        replaceAll: (labels, act) =>
          pipe(
            replaceAll(labels, act),
            TE.mapLeft((left) =>
              left._tag === 'LabelsInUse' ? { ...left, labelIds: left.labelIds.slice(0, 1) } : left,
            ),
          ),
      }),
    ],
    'attaches a label once only': [
      'library: E2: attaching twice is the same as once',
      ({ attach, ofItem }) => ({
        attach: (contentType, itemId, labelId, ...more) =>
          pipe(
            ofItem(contentType, itemId),
            TE.flatMap((labels) =>
              labels.some((label) => label.labelId === labelId)
                ? TE.left(LABEL_NOT_FOUND)
                : attach(contentType, itemId, labelId, ...more),
            ),
          ),
      }),
    ],
    'lists the labels of an item by their attachment': [
      'library: E2: attaching twice is the same as once',
      ({ ofItem }) => ({
        ofItem: returning(ofItem, (labels) => labels.toReversed()),
      }),
    ],
    'attaches labels to unknown items': [
      'library: E2: an unknown item or label is not found',
      ({ all, attach }) => ({
        attach:
          (contentType, itemId, labelId, ...more) =>
          async () => {
            const attached = await attach(contentType, itemId, labelId, ...more)()
            const [label] = E.getOrElse((): ReadonlyArray<Label> => [])(await all()())
            return E.isLeft(attached) && attached.left._tag === 'ItemNotFound' && label
              ? E.right(label)
              : attached
          },
      }),
    ],
    'detaches a label that is not attached': [
      'library: E2: detaching an unattached label is not found',
      ({ detach }) => ({
        detach: (...given) => ignoring('LabelNotFound')(detach(...given)),
      }),
    ],
    'detaches all labels of an item': [
      'feed: E2: detaching leaves other labels and other items',
      ({ ofItem, detach }) => ({
        detach: (contentType, itemId, labelId, act) => async () => {
          const attached = E.getOrElse((): ReadonlyArray<Label> => [])(await ofItem(contentType, itemId)())
          for (const other of attached)
            if (other.labelId !== labelId) await detach(contentType, itemId, other.labelId)()
          return detach(contentType, itemId, labelId, act)()
        },
      }),
    ],
    'mixes the labels of both content types': [
      'library: labels of the two content types are independent',
      ({ ofItem }) => ({
        ofItem: (_, itemId) =>
          pipe(
            CONTENT_TYPES,
            TE.traverseArray((contentType) => ofItem(contentType, itemId)),
            TE.map((both) => both.flat()),
          ),
      }),
    ],
    'lists items without labels as well': [
      'J4: labels of many items come at once',
      ({ ofItems }) => ({
        ofItems: returning(ofItems, (found, _, ids) => new Map(ids.map((id) => [id, found.get(id) ?? []]))),
      }),
    ],
    'dates a receipt by the hour': [
      'I4: attaching a label stores its key and its response',
      ({ attach }) => ({
        attach: (contentType, itemId, labelId, receipt, act) => {
          const dated = receipt && { ...receipt, at: addMillis(receipt.at, 3_600_000) }
          return attach(contentType, itemId, labelId, dated, act)
        },
      }),
    ],
    'stores no receipt': [
      'I4: attaching a label stores its key and its response',
      ({ attach }) => ({
        attach: (contentType, itemId, labelId, _, act) =>
          attach(contentType, itemId, labelId, undefined, act),
      }),
    ],
    'stores the receipt in another transaction': [
      'I4: attaching a label with a used key changes nothing',
      ({ attach }) => ({
        attach: (contentType, itemId, labelId, receipt, act) =>
          pipe(
            attach(contentType, itemId, labelId, undefined, act),
            TE.flatMap(() => attach(contentType, itemId, labelId, receipt)),
          ),
      }),
    ],
    'records the loading of labels under another time': [
      'K1: labels leave records of their items and of loads',
      ({ replaceAll }) => ({
        replaceAll: (labels, act) => replaceAll(labels, act && { ...act, at: addMillis(act.at, 1) }),
      }),
    ],
    'leaves no record of an attached label': [
      'K1: labels leave records of their items and of loads',
      ({ attach }) => ({
        attach: (contentType, itemId, labelId, receipt) => attach(contentType, itemId, labelId, receipt),
      }),
    ],
  },
}
