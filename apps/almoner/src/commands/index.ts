import type { Command, ProcessCommand } from '../cli/command.ts'
import { serve } from '../serve/serve.ts'
import { ARCHIVE_COMMANDS } from './archive.ts'
import { CLIENT_COMMANDS } from './client.ts'
import { checkLinks, checkTranslations, loadLabels, MEDIA_COMMANDS } from './content.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { MANAGER_COMMANDS } from './manager.ts'
import { previewNotification, testNotification } from './notification.ts'
import { API_COMMANDS, listAudit, migrate, showStats, vacuum } from './operations.ts'
import { DEVICE_COMMANDS, PERSONAL_DATA_COMMANDS, USER_COMMANDS } from './people.ts'
import { PORTFOLIO_COMMANDS } from './portfolio.ts'
import { PUSH_COMMANDS } from './push.ts'
import { reviewNotifications } from './review.ts'
import { tour } from './tour.ts'

/** Every command, in the order of the help. */
export const COMMANDS: ReadonlyArray<Command | ProcessCommand> = [
  serve,
  tour,
  ...PUSH_COMMANDS,
  ...DEVICE_COMMANDS,
  migrate,
  ...CLIENT_COMMANDS,
  ...MANAGER_COMMANDS,
  loadLabels,
  ...MEDIA_COMMANDS,
  ...PORTFOLIO_COMMANDS,
  checkLinks,
  checkTranslations,
  ...USER_COMMANDS,
  ...PERSONAL_DATA_COMMANDS,
  reviewNotifications,
  previewNotification,
  testNotification,
  ...ARCHIVE_COMMANDS,
  doctorCommand,
  vacuum,
  listAudit,
  showStats,
  ...API_COMMANDS,
]

/** What the help says of the first words of commands with two. */
export const GROUPS: Readonly<Record<string, string>> = {
  push: 'show and resume push providers',
  devices: 'list and restore devices that providers reported dead',
  client: 'manage the clients of the API',
  manager: 'manage the people who work in the console',
  labels: 'manage the labels of items',
  media: 'manage the image storage',
  portfolio: 'manage the portfolio of organizations',
  check: 'find problems for editors to fix',
  user: 'manage users, their preferences and their data',
  notification: 'send, preview and test notifications',
  maintenance: 'maintain the database while the service is stopped',
}
