import type { FindingMessages, FindingValues } from '../en/findings.ts'
import { counted } from './counts.ts'

const PLACES: FindingValues = { database: 'la base de données', images: 'les images' }

const LATE =
  'Laissez un serveur en marche : il les supprime chaque heure. S’il y en a un, cherchez « job failed » dans son journal.'

const DISK =
  'Libérez de la place, ou donnez un plus grand disque au service. Sur un disque plein, rien ne s’enregistre.'

const SETTINGS = 'Vérifiez ALMONER_DATABASE et ALMONER_MEDIA.'

/** The French words of what the checks of the service find. */
export const findings: FindingMessages = {
  checks: {
    clock: 'Horloge',
    devices: 'Appareils',
    disk: 'Disque',
    files: 'Fichiers de la base de données',
    images: 'Images et base de données',
    'link checks': 'Liens par un proxy',
    links: 'Liens',
    media: 'Stockage des images',
    metrics: 'Mesures',
    nodes: 'Serveurs',
    pauses: 'Fournisseurs de notifications',
    portfolio: 'Portefeuille',
    push: 'Réglages des notifications',
    retention: 'Anciennes notifications',
    schedules: 'Programmations',
  },
  findings: {
    'check-failed': () => ({
      what: 'Ce point n’a pas pu être examiné.',
      fix: 'Lancez « almoner doctor » sur le serveur : il en donne la raison.',
    }),
    'address-of-all': ({ url }) => ({
      what: `Les clients ne peuvent pas ouvrir les adresses des réponses, qui commencent par ${url}.`,
      fix: 'Donnez à ALMONER_BASE_URL l’adresse par laquelle les clients joignent le service.',
    }),
    'clock-apart': ({ seconds }) => ({
      what: `L’horloge de ce serveur se trompe de ${seconds} secondes.`,
      fix: 'Réglez l’horloge de tous les serveurs par NTP.',
    }),
    'database-files': () => ({
      what: 'Les fichiers de la base de données ont été déplacés, supprimés ou remplacés. Plus rien ne peut être modifié.',
      fix: 'Faites remettre les bons fichiers en place, puis redémarrer le serveur.',
    }),
    'database-log': ({ mebibytes }) => ({
      what: `Le journal de la base de données occupe ${mebibytes} Mio.`,
      fix: 'Terminez les longues lectures, comme un export, ou redémarrez le service.',
    }),
    'devices-unroutable': ({ count }) => ({
      what: `${counted(Number(count), 'appareil est', 'appareils sont')} d’un type inconnu. Rien ne peut y être envoyé.`,
      fix: 'Que l’application envoie ses jetons avec un préfixe tel que fcm: ou apns:, ou réglez ALMONER_PUSH_DEFAULT.',
    }),
    'disk-files': ({ place = '' }) => ({
      what: `Aucun fichier ne peut plus être créé pour ${PLACES[place]}.`,
      fix: DISK,
    }),
    'disk-full': ({ place = '', mebibytes }) => ({
      what: `Le disque est plein : il reste ${mebibytes} Mio pour ${PLACES[place]}.`,
      fix: DISK,
    }),
    'disk-narrow': ({ place = '', mebibytes }) => ({
      what: `Il ne reste que ${mebibytes} Mio pour ${PLACES[place]}.`,
      fix: 'Libérez de la place avant que le disque soit plein.',
    }),
    'images-no-references': () => ({
      what: 'Les images inutilisées ne sont pas supprimées : la base n’en utilise aucune, mais le stockage en contient.',
      fix: `${SETTINGS} Pour les supprimer quand même, lancez « almoner media sweep --confirm ».`,
    }),
    'images-other-storage': () => ({
      what: 'Les images inutilisées ne sont pas supprimées : le stockage appartient à une autre base de données.',
      fix: `${SETTINGS} Si aucun autre service n’utilise ce stockage, lancez « almoner media adopt ».`,
    }),
    'images-too-many-orphans': () => ({
      what: 'Les images inutilisées ne sont pas supprimées : plus d’un cinquième de toutes les images disparaîtrait.',
      fix: `${SETTINGS} Pour les supprimer quand même, lancez « almoner media sweep --confirm ».`,
    }),
    'images-unknown': () => ({
      what: 'Les images inutilisées ne sont pas supprimées : le stockage appartient à une autre base de données, et celle-ci n’utilise aucune de ses images.',
      fix: 'Indiquez dans ALMONER_DATABASE la base de ces images, ou dans ALMONER_MEDIA le stockage de cette base.',
    }),
    'media-bucket': () => ({
      what: 'Le compartiment (bucket) des images ne répond pas.',
      fix: 'Vérifiez le compartiment, la région, l’adresse et les identifiants.',
    }),
    'links-proxy': () => ({
      what: 'Les liens sont vérifiés par un proxy, qui seul protège les réseaux privés de ces vérifications.',
      fix: 'Assurez-vous que le proxy refuse les noms qui mènent dans des réseaux privés.',
    }),
    'links-void': ({ hosts, unreached }) => ({
      what: `La dernière vérification des liens a été écartée : ${unreached} sites sur ${hosts} étaient introuvables ou injoignables.`,
      fix: 'Assurez-vous que le serveur résout les noms et atteint Internet, ou mettez ALMONER_LINK_CHECK à proxy ou off.',
    }),
    'media-folder': ({ folder }) => ({
      what: `Les images ne peuvent pas être enregistrées dans ${folder}.`,
      fix: 'Faites-en un dossier que le service peut lire et écrire.',
    }),
    'media-serving': () => ({
      what: 'ALMONER_MEDIA_SERVE doit être proxy tant que les images sont dans un dossier.',
      fix: 'Retirez ce réglage, ou utilisez un compartiment (bucket).',
    }),
    'metrics-public': () => ({
      what: 'Tout le monde peut lire /metrics, à moins qu’un proxy ne le refuse.',
      fix: 'Donnez aux mesures leur propre port avec ALMONER_METRICS, ou faites refuser /metrics par le proxy.',
    }),
    'nodes-differ': ({ setting, holders }) => ({
      what: `${setting} n’est pas le même sur tous les serveurs : ${holders}.`,
      fix: 'Donnez la même valeur à tous les serveurs, et redémarrez ceux qui diffèrent.',
    }),
    'pause-operator': ({ provider }) => ({
      what: `Rien n’est envoyé par ${provider} : un opérateur l’a mis en pause.`,
      fix: 'Reprenez les envois ci-dessous.',
    }),
    'pause-refused': ({ provider, reason }) => ({
      what: `${provider} refuse ce service : ${reason}.`,
      fix: 'Vérifiez les identifiants. Un nouvel essai a lieu de lui-même, ou tout de suite si vous reprenez les envois ci-dessous.',
    }),
    'pause-silent': ({ provider, server = '' }) => ({
      what: `${provider}${server === '' ? '' : ` (${server})`} ne répond pas.`,
      fix: 'Vérifiez qu’il est joignable depuis le serveur. Un nouvel essai a lieu de lui-même, ou tout de suite si vous reprenez les envois ci-dessous.',
    }),
    'pause-unregistered': ({ provider }) => ({
      what: `${provider} est en pause : il a déclaré trop d’appareils inconnus.`,
      fix: 'Vérifiez que les identifiants sont ceux de l’application, puis reprenez les envois ci-dessous.',
    }),
    'push-credentials': () => ({
      what: 'Les identifiants d’un fournisseur de notifications sont inutilisables.',
      fix: 'Lancez « almoner doctor » sur le serveur : il nomme le réglage.',
    }),
    'push-default': ({ provider }) => ({
      what: `Les appareils de type inconnu comptent comme ${provider}, par lequel rien n’est envoyé.`,
      fix: `Nommez ${provider} dans ALMONER_PUSH, ou changez ALMONER_PUSH_DEFAULT.`,
    }),
    'push-file': () => ({
      what: 'Les notifications sont seulement écrites dans un fichier : aucun appareil n’en reçoit.',
      fix: 'Nommez les fournisseurs dans ALMONER_PUSH.',
    }),
    'push-file-unwritable': () => ({
      what: 'Le fichier des notifications ne peut pas être écrit.',
      fix: 'Nommez dans ALMONER_PUSH un fichier que le service peut écrire.',
    }),
    'push-log': () => ({
      what: 'Les notifications sont seulement écrites dans le journal : aucun appareil n’en reçoit.',
      fix: 'Nommez les fournisseurs dans ALMONER_PUSH.',
    }),
    'push-unused': ({ settings, provider }) => ({
      what: `Ces réglages ne servent pas : ${settings}.`,
      fix: `Nommez ${provider} dans ALMONER_PUSH pour les utiliser.`,
    }),
    'retention-notifications': ({ days }) => ({
      what: `Des notifications terminées depuis longtemps sont conservées, alors que ALMONER_NOTIFICATION_DAYS est ${days}.`,
      fix: LATE,
    }),
    'retention-rows': ({ days }) => ({
      what: `Des envois terminés depuis longtemps sont conservés, alors que ALMONER_DELIVERY_DAYS est ${days}.`,
      fix: LATE,
    }),
    'schedules-failed': ({ count, missing }) => ({
      what: `Programmations échouées : ${count}. Il manquait à la dernière : ${missing}.`,
      fix: 'Le bureau les énumère. Publiez à la main, ou choisissez une nouvelle date.',
    }),
    'years-outside': ({ years, first, last }) => ({
      what: `Des organisations sont arrivées en ${years} ; les applications ne peuvent demander que ${first} à ${last}.`,
      fix: 'Réglez ALMONER_JOINED_YEARS pour contenir toutes ces années.',
    }),
  },
}
