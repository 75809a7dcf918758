import { counted } from './counts.ts'

/** What was found, and what to do about it. */
interface FindingWords {
  readonly what: string
  readonly fix: string
}

/** The values that the words about a finding need, by name. */
export type FindingValues = Readonly<Record<string, string>>

const PLACES: FindingValues = { database: 'the database', images: 'images' }

const LATE =
  'Keep a server running: it deletes them every hour. If one runs, look in its log for “job failed”.'

const DISK = 'Make room, or give the service a larger disk. Nothing can be saved on a full one.'

const SETTINGS = 'Check ALMONER_DATABASE and ALMONER_MEDIA.'

/** The English words of what the checks of the service find. */
export const findings = {
  checks: {
    clock: 'Clock',
    devices: 'Devices',
    disk: 'Disk',
    files: 'Database files',
    images: 'Images and database',
    'link checks': 'Links through a proxy',
    links: 'Links',
    media: 'Image storage',
    metrics: 'Metrics',
    nodes: 'Servers',
    pauses: 'Push providers',
    portfolio: 'Portfolio',
    push: 'Push settings',
    retention: 'Old notifications',
    schedules: 'Schedules',
  } as Readonly<Record<string, string>>,
  findings: {
    'check-failed': () => ({
      what: 'This could not be examined.',
      fix: 'Run “almoner doctor” on the server: it names the reason.',
    }),
    'address-of-all': ({ url }) => ({
      what: `Clients cannot open the URLs in responses, which begin with ${url}.`,
      fix: 'Set ALMONER_BASE_URL to the URL under which clients reach the service.',
    }),
    'clock-apart': ({ seconds }) => ({
      what: `The clock of this server is ${seconds} seconds wrong.`,
      fix: 'Have all servers set their clocks by NTP.',
    }),
    'database-files': () => ({
      what: 'The files of the database were moved, removed or replaced. Nothing can be changed any more.',
      fix: 'Have the right files put in place, and the server restarted.',
    }),
    'database-log': ({ mebibytes }) => ({
      what: `The log of the database has ${mebibytes} MiB.`,
      fix: 'End long reads, such as an export, or restart the service.',
    }),
    'devices-unroutable': ({ count }) => ({
      what: `${counted(Number(count), 'device is', 'devices are')} of no known kind. Nothing can be sent there.`,
      fix: 'Let the app send its tokens with a prefix such as fcm: or apns:, or set ALMONER_PUSH_DEFAULT.',
    }),
    'disk-files': ({ place = '' }) => ({
      what: `No more files can be made for ${PLACES[place]}.`,
      fix: DISK,
    }),
    'disk-full': ({ place = '', mebibytes }) => ({
      what: `The disk is full: ${mebibytes} MiB are free for ${PLACES[place]}.`,
      fix: DISK,
    }),
    'disk-narrow': ({ place = '', mebibytes }) => ({
      what: `Only ${mebibytes} MiB are free for ${PLACES[place]}.`,
      fix: 'Make room before the disk is full.',
    }),
    'images-no-references': () => ({
      what: 'Unused images are not deleted: the database uses no image, but the storage holds some.',
      fix: `${SETTINGS} To delete the images all the same, run “almoner media sweep --confirm”.`,
    }),
    'images-other-storage': () => ({
      what: 'Unused images are not deleted: the image storage belongs to another database.',
      fix: `${SETTINGS} If no other service uses this storage, run “almoner media adopt”.`,
    }),
    'images-too-many-orphans': () => ({
      what: 'Unused images are not deleted: more than a fifth of all images would go.',
      fix: `${SETTINGS} To delete them all the same, run “almoner media sweep --confirm”.`,
    }),
    'images-unknown': () => ({
      what: 'Unused images are not deleted: the image storage belongs to another database, and this one uses none of its images.',
      fix: 'Let ALMONER_DATABASE name the database of these images, or ALMONER_MEDIA the storage of this database.',
    }),
    'media-bucket': () => ({
      what: 'The bucket of images does not answer.',
      fix: 'Check bucket, region, endpoint and the credentials.',
    }),
    'links-proxy': () => ({
      what: 'Links are checked through a proxy, which alone keeps these checks out of private networks.',
      fix: 'See that the proxy refuses names that lead into private networks.',
    }),
    'links-void': ({ hosts, unreached }) => ({
      what: `The last check of links was discarded: ${unreached} of ${hosts} sites could not be found or reached.`,
      fix: 'See that the server resolves names and reaches the internet, or set ALMONER_LINK_CHECK to proxy or off.',
    }),
    'media-folder': ({ folder }) => ({
      what: `Images cannot be stored in ${folder}.`,
      fix: 'Make it a folder that the service may read and write.',
    }),
    'media-serving': () => ({
      what: 'ALMONER_MEDIA_SERVE must be proxy while images are in a folder.',
      fix: 'Unset it, or use a bucket.',
    }),
    'metrics-public': () => ({
      what: 'Anyone may read /metrics, unless a proxy refuses it.',
      fix: 'Give the metrics a port of their own with ALMONER_METRICS, or have the proxy refuse /metrics.',
    }),
    'nodes-differ': ({ setting, holders }) => ({
      what: `${setting} is not the same on all servers: ${holders}.`,
      fix: 'Set the same value on all servers, and restart those that differ.',
    }),
    'pause-operator': ({ provider }) => ({
      what: `Nothing is sent by ${provider}: an operator has paused it.`,
      fix: 'Resume it below.',
    }),
    'pause-refused': ({ provider, reason }) => ({
      what: `${provider} refuses this service: ${reason}.`,
      fix: 'Check the credentials. It is tried again by itself, or at once if you resume it below.',
    }),
    'pause-silent': ({ provider, server = '' }) => ({
      what: `${provider}${server === '' ? '' : ` (${server})`} gives no answer.`,
      fix: 'See that it can be reached from the server. It is tried again by itself, or at once if you resume it below.',
    }),
    'pause-unregistered': ({ provider }) => ({
      what: `${provider} is paused: it called too many devices unregistered.`,
      fix: 'Check that the credentials are those of the app, then resume it below.',
    }),
    'push-credentials': () => ({
      what: 'The credentials of a push provider cannot be used.',
      fix: 'Run “almoner doctor” on the server: it names the setting.',
    }),
    'push-default': ({ provider }) => ({
      what: `Devices of no known kind count as ${provider}, by which nothing is sent.`,
      fix: `Name ${provider} in ALMONER_PUSH, or change ALMONER_PUSH_DEFAULT.`,
    }),
    'push-file': () => ({
      what: 'Notifications are only written into a file: no device gets any.',
      fix: 'Name the providers in ALMONER_PUSH.',
    }),
    'push-file-unwritable': () => ({
      what: 'The file for notifications cannot be written.',
      fix: 'Name a file in ALMONER_PUSH that the service may write.',
    }),
    'push-log': () => ({
      what: 'Notifications are only written into the log: no device gets any.',
      fix: 'Name the providers in ALMONER_PUSH.',
    }),
    'push-unused': ({ settings, provider }) => ({
      what: `These settings are not used: ${settings}.`,
      fix: `Name ${provider} in ALMONER_PUSH to use them.`,
    }),
    'retention-notifications': ({ days }) => ({
      what: `Notifications that ended long ago are stored, although ALMONER_NOTIFICATION_DAYS is ${days}.`,
      fix: LATE,
    }),
    'retention-rows': ({ days }) => ({
      what: `Deliveries that ended long ago are stored, although ALMONER_DELIVERY_DAYS is ${days}.`,
      fix: LATE,
    }),
    'schedules-failed': ({ count, missing }) => ({
      what: `Schedules that failed: ${count}. The latest lacked: ${missing}.`,
      fix: 'The desk lists them. Publish by hand, or set a new time.',
    }),
    'years-outside': ({ years, first, last }) => ({
      what: `Organizations joined in ${years}; apps can ask for ${first} to ${last} only.`,
      fix: 'Set ALMONER_JOINED_YEARS to hold all these years.',
    }),
  } satisfies Readonly<Record<string, (values: FindingValues) => FindingWords>>,
}

export type FindingMessages = typeof findings
