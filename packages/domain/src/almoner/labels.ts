import { makeAttachLabel, makeDetachLabel, makeListLabels, makeLoadLabels } from '../content/labels.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** The labels of one content type's items. */
export interface ItemLabels {
  /**
   * Lists all labels, or those of one item that the caller may see (E2). An unknown or hidden item has none.
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.labels.library.list(caller, { itemId: item.id })
   * ```
   */
  readonly list: ReturnType<ReturnType<typeof makeListLabels>>
  /**
   * Attaches a label to an item; repeating it changes nothing (E2). The revision of the item stays the same.
   * Fails with InsufficientScope, ItemNotFound, LabelNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.labels.library.attach(manager, { itemId: item.id, labelId: label.labelId })
   * ```
   */
  readonly attach: ReturnType<ReturnType<typeof makeAttachLabel>>
  /**
   * Detaches a label from an item that carries it (E2).
   * Fails with InsufficientScope, ItemNotFound, LabelNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.labels.library.detach(manager, { itemId: item.id, labelId: label.labelId })
   * ```
   */
  readonly detach: ReturnType<ReturnType<typeof makeDetachLabel>>
}

/** Bilingual keywords of items. */
export interface LabelsArea {
  /** Labels of publications. */
  readonly library: ItemLabels
  /** Labels of posts. */
  readonly feed: ItemLabels
  /**
   * Replaces all labels with those of a parsed JSON file, in its order, and returns their number (E1). For operators: checks no caller.
   * Fails with LabelsInUse, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.labels.load([{ labelId: 'water', en: 'Water', fr: 'Eau' }])
   * ```
   */
  readonly load: ReturnType<typeof makeLoadLabels>
}

/** Binds the use cases of labels to ports and a policy. */
export const makeLabelsArea = (ports: Ports, policy: Policy): LabelsArea => {
  const [list, attach, detach] = [
    makeListLabels(ports, policy),
    makeAttachLabel(ports),
    makeDetachLabel(ports),
  ]
  return {
    library: { list: list('library'), attach: attach('library'), detach: detach('library') },
    feed: { list: list('feed'), attach: attach('feed'), detach: detach('feed') },
    load: makeLoadLabels(ports),
  }
}
