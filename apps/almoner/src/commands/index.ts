import type { Command, ProcessCommand } from '../cli/command.ts'
import { serve } from '../serve/serve.ts'
import { printOpenApi, printRoutes } from './api.ts'
import { backupCommand, exportCommand, importCommand, restoreCommand } from './archive/commands.ts'
import { addClient, disableClient, enableClient, listClients, rotateClient } from './client/commands.ts'
import { listDeadDevices, restoreDevices } from './devices.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { loadLabels } from './labels.ts'
import { vacuum } from './maintenance.ts'
import { adoptMedia, sweepMedia } from './media.ts'
import { migrate } from './migrate.ts'
import { previewNotification } from './notification/preview.ts'
import { reviewNotifications } from './notification/review.ts'
import { testNotification } from './notification/test.ts'
import { checkTexts, loadPortfolio } from './portfolio/commands.ts'
import { resumePush, showPushStatus } from './push/commands.ts'
import { showStats } from './stats/stats.ts'
import { importUsers, listUsers, setUser } from './user.ts'

/** Every command, in the order of the help. */
export const COMMANDS: ReadonlyArray<Command | ProcessCommand> = [
  serve,
  showPushStatus,
  resumePush,
  listDeadDevices,
  restoreDevices,
  migrate,
  addClient,
  listClients,
  rotateClient,
  disableClient,
  enableClient,
  loadLabels,
  sweepMedia,
  adoptMedia,
  loadPortfolio,
  checkTexts,
  listUsers,
  setUser,
  importUsers,
  reviewNotifications,
  previewNotification,
  testNotification,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  vacuum,
  showStats,
  printRoutes,
  printOpenApi,
]

/** What the help says of the first words of commands with two. */
export const GROUPS: Readonly<Record<string, string>> = {
  push: 'the providers that pushes go out by',
  devices: 'the devices that providers called dead',
  client: 'the machine credentials that may call the service',
  labels: 'the words that items carry',
  media: 'the storage of images',
  portfolio: 'the organizations and what is said of them',
  check: 'what editors may want to fix',
  user: 'whom notifications may reach',
  notification: 'messages to the devices of users',
  maintenance: 'work on a database while the service is stopped',
}
