/** The English words of managers and their sessions. */
export const managers = {
  managers: {
    title: 'Managers',
    add: 'Add a manager',
    addAct: 'Add, and show the link',
    email: 'Email',
    name: 'Name',
    duty: 'Duty',
    duties: { editor: 'Editor', operator: 'Operator' },
    dutyHints: {
      editor: 'Editors write, translate, approve and notify.',
      operator: 'Operators do this too, and manage people, clients of the API and the service.',
    },
    language: 'Language of the console',
    disabled: 'Disabled',
    you: 'You',
    ownAccount: 'Your account',
    acts: { link: 'New link', sessions: 'Sessions', disable: 'Disable', enable: 'Enable' },
    makeOperator: 'Make operator',
    makeEditor: 'Make editor',
    actLabel: (act: string, name: string) => `${act}: ${name}`,
    linkTitle: (name: string) => `Sign-in link for ${name}`,
    linkText: (until: string) =>
      `Send it to this person only: it signs in whoever opens it. It works once, until ${until}, and is not shown again.`,
    link: 'Link',
    copy: 'Copy the link',
    copied: 'Copied.',
    sessionsTitle: (name: string) => `Sessions of ${name}`,
    endAll: 'End all sessions',
    changed: (name: string) => `The access of ${name} has changed.`,
    confirmTitle: {
      duty: (name: string, duty: string) => `Change the duty of ${name} to ${duty}?`,
      disable: (name: string, _duty: string) => `Disable ${name}?`,
    },
    confirm: { duty: 'Change the duty', disable: 'Disable' },
    confirmText: {
      duty: 'All sessions and unused links of this person end. The person signs in again.',
      disable: 'All sessions and unused links of this person end, and no new ones are possible. Texts stay.',
    },
  },
  sessions: {
    title: 'Where you are signed in',
    list: 'Open sessions',
    unknown: 'Unknown browser',
    current: 'This session',
    opened: (moment: string) => `Signed in ${moment}`,
    seen: (moment: string) => `last used ${moment}`,
    none: 'This person is not signed in anywhere.',
    endOthers: 'End all other sessions',
    ended: 'All other sessions have ended.',
  },
}

export type ManagerMessages = typeof managers
