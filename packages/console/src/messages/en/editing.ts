import { counted } from './counts.ts'

/** The English words of the editor: acts, schedule, readers, working copies, conflicts and images. */
export const editing = {
  editor: {
    acts: 'Save and publish',
    counter: (left: number) =>
      left < 0 ? `${-left} characters too many` : `${counted(left, 'character', 'characters')} left`,
    labels: 'Labels',
    save: 'Save',
    publish: 'Publish',
    archive: 'Archive',
    toDraft: 'Back to draft',
    saving: 'Saving…',
    leave: 'What you have added last would be lost. Leave the page?',
    missing: 'This is missing before it can be published',
    refused: 'This could not be saved',
    goneTitle: 'This entry is not there',
    goneText: 'It may have been removed, or the address is wrong.',
    done: { Draft: 'Saved as a draft.', Archived: 'Archived.' },
    published: {
      now: { readers: 'Published. Readers see it now.', donors: 'Published. Donors see it now.' },
      from: {
        readers: (day: string) => `Published. Readers see it from ${day} on.`,
        donors: (day: string) => `Published. Donors see it from ${day} on.`,
      },
    },
  },
  schedule: {
    title: 'Schedule',
    publishAt: {
      day: 'Online from',
      time: 'Start time',
      set: (moment: string) => `It will be published on ${moment}.`,
    },
    archiveAt: {
      day: 'Online until',
      time: 'End time',
      set: (moment: string) => `It will be archived on ${moment}.`,
    },
    hint: (zone: string) => `By the clocks of ${zone}. Empty fields schedule nothing.`,
    incomplete: 'Give both a day and a time, or neither.',
    save: 'Set the schedule',
    done: 'The schedule is set.',
    cleared: 'Nothing is scheduled now.',
    future: 'Readers see it as soon as it is published, not on this date. To publish it later, schedule it.',
    embargo: 'Once it is published, readers see it from this date on.',
  },
  readers: {
    title: 'Who sees the saved version',
    roles: { user: 'Readers', 'user-donor': 'Donors', 'content-manager': 'Content managers' },
    yes: 'Yes',
    no: 'No',
  },
  copies: {
    restored: (moment: string) =>
      `You wrote this on ${moment} and have not saved it. Only you see it. Readers see the saved version.`,
    discard: 'Discard my changes',
    discarded: 'Your changes are discarded.',
    unfinished: 'You have begun these and not saved them',
    untitled: 'Without a title',
    otherTab: 'You have typed another text for this in another tab',
    otherTabText: (moment: string) =>
      `It is of ${moment}, in another tab or on another device. It is newer than the text that this page began with. Choose one; the other is kept until then.`,
    there: 'In the other tab',
    here: 'On this page',
    useThere: 'Use the other text',
    keepHere: 'Keep the text of this page',
    taken: 'This page has the other text now.',
    left: 'What you typed last is not kept: another tab has a newer text. Go back to choose one of the two.',
    goBack: 'Go back',
    states: {
      newer: 'Not kept: choose one of the two texts above.',
      waiting: 'Not saved yet',
      stored: 'Not saved yet. Your text is kept, also if you close this page.',
      failed: 'Your text cannot be kept right now: the server does not answer. Leave this page open.',
    },
  },
  clash: {
    title: 'Someone else changed this at the same time',
    by: (name: string, moment: string) => `${name} changed it on ${moment}.`,
    text: 'All other changes have been merged. Choose a text for each of these fields, then save.',
    before: 'Before',
    theirs: 'Theirs',
    mine: 'Yours',
    useTheirs: 'Use theirs',
    keepMine: 'Keep yours',
  },
  images: {
    names: { cover: 'Cover', notification: 'Image for notifications', media: 'Image' },
    drop: 'Drop an image here',
    dropSized: (width: number, height: number) =>
      `Drop a photo here. You crop it to ${width}\u00a0×\u00a0${height}.`,
    dropLabel: (name: string) => `${name}: drop an image`,
    alt: (name: string) => `${name}, as it is now`,
    choose: 'Choose a file',
    replace: 'Replace',
    remove: 'Remove',
    askReplace: (name: string) => `${name}: replace it?`,
    askReplaceText:
      'Readers see the new image at once. For an hour, the one before can be restored in the history.',
    confirmReplace: (name: string) => `Replace: ${name}`,
    keepPresent: 'Keep the present image',
    chosen: (name: string) => `${name}, as you have chosen it`,
    replaced: (name: string) => `${name}: replaced. Readers see the new one.`,
    uploading: (name: string) => `${name}: uploading`,
    format: (format: string) => `This file is ${format}. Export it as JPEG or PNG, and choose that.`,
    cropTitle: 'Choose the part to show',
    cropHint: (width: number, height: number) =>
      `The feed shows images of ${width}\u00a0×\u00a0${height}. Drag to move, or use the arrow keys; enlarge with the slider, the wheel or two fingers.`,
    cropLabel: 'Part of the image. Arrow keys move it, plus and minus enlarge it.',
    zoom: 'Enlarge',
    small: 'This image is smaller than needed, so it will look blurred.',
    use: 'Use this part',
  },
}

export type EditingMessages = typeof editing
