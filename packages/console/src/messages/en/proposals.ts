import { counted } from './counts.ts'

/** The English words of proposals for entries that are live. */
export const proposals = {
  proposals: {
    title: 'Proposals',
    one: 'Proposal',
    intro:
      'A proposal is another version of an entry that is live. Colleagues see it here. Readers do not, until someone publishes it.',
    empty:
      'There is no proposal here. Open an entry that is live, change it, and press “Share as a proposal”.',
    views: 'Which proposals',
    view: { all: 'All', mine: 'Mine', scheduled: 'Scheduled', failed: 'Not published in time' },
    share: 'Share as a proposal',
    shareBoth: 'Share as proposals',
    sharedBoth: 'Shared as proposals. Readers still see the versions before.',
    shared: 'Shared as a proposal. Readers still see the version before.',
    exists:
      'A colleague has shared a proposal for this entry in the meantime. Look at it first; your text is kept.',
    open: (name: string, moment: string) => `${name} proposed another version of this entry on ${moment}.`,
    look: 'Look at the proposal',
    by: (name: string, moment: string) => `Proposed by ${name} on ${moment}`,
    unknown: 'a colleague who has left',
    changes: 'What readers would notice',
    none: 'So far the proposal is the same as the live version.',
    changed: (fields: string) => `Changes: ${fields}`,
    edit: 'Change the text or the images',
    compare: 'Compare with the live version',
    save: 'Save the proposal',
    saved: 'The proposal is saved. Colleagues see it, readers do not.',
    restored: (moment: string) =>
      `You wrote this on ${moment} and have not saved it in the proposal. Only you see it.`,
    unsaved: 'With what you have typed and not saved yet.',
    publish: 'Publish the proposal',
    publishTitle: (title: string) => `Publish the proposal for “${title}”?`,
    publishText: (fields: string) => `Readers will see this at once: ${fields}.`,
    publishDonors: (fields: string) => `Donors will see this at once: ${fields}.`,
    publishSame: 'Readers will notice no change.',
    keep: 'Leave it a proposal',
    published: {
      now: {
        readers: 'The proposal is published. Readers see it now.',
        donors: 'The proposal is published. Donors see it now.',
      },
      from: {
        readers: (day: string) => `The proposal is published. Readers see it from ${day} on.`,
        donors: (day: string) => `The proposal is published. Donors see it from ${day} on.`,
      },
    },
    discard: 'Discard the proposal',
    discarded: 'The proposal is discarded. Readers see what they saw before.',
    undone: 'The proposal is back.',
    late: 'The proposal could not be brought back.',
    gone: 'There is no proposal for this entry',
    goneText: 'It has been published or discarded. The history of the entry says who published it.',
    typed: 'What you typed into it and did not save is still there.',
    goOn: 'Go on with it in the entry',
    toItem: { library: 'To the publication', feed: 'To the post' },
    stale: 'The live version has changed since',
    staleText: 'Its changes are merged with the proposal below. Look at the result, then save or publish it.',
    staleTag: 'Live version changed since',
    notLive:
      'This entry is not live any more. Publish the entry first, then its proposal, or discard the proposal.',
    clashText:
      'The live version and the proposal say different things here. Choose one for each field, then save or publish.',
    before: 'Before both',
    live: 'Live version',
    proposed: 'Proposal',
    useLive: 'Use the live version',
    useProposed: 'Use the proposal',
    moment: {
      title: 'Publish later',
      day: 'Publish on',
      time: 'Time of publishing',
      set: (moment: string) => `It will be published on ${moment}.`,
      save: 'Set the time',
      clear: 'Remove the time',
      done: (moment: string) => `The proposal will be published on ${moment}.`,
      cleared: 'The proposal has no time any more. It waits until someone publishes it.',
      past: 'Choose a time that is still to come.',
      stale: 'First save the merged proposal: the live version has changed since.',
      tag: (moment: string) => `Planned for ${moment}`,
    },
    failed: (moment: string) => `It was not published on ${moment}.`,
    failedStale: 'The live version had changed since the proposal was made.',
    failedFields: (fields: string) => `This was missing or not allowed: ${fields}.`,
    failedTag: 'Not published in time',
    deskFailed: 'These proposals were not published at their time',
    waiting: (count: number) =>
      counted(count, 'proposal waits for a decision', 'proposals wait for a decision'),
    waitingHint: (titles: string) => `For ${titles}`,
    quoted: (title: string) => `“${title}”`,
  },
}

export type ProposalMessages = typeof proposals
