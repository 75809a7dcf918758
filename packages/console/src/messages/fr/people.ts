import type { PeopleMessages } from '../en/people.ts'
import { counted } from './counts.ts'

/** The French words about people and their stored data. */
export const people: PeopleMessages = {
  people: {
    title: 'Personnes',
    intro: 'Trouvez une personne par son adresse e-mail, ou par une partie de celle-ci.',
    search: 'Adresse e-mail, entière ou partielle',
    find: 'Chercher',
    found: (count) =>
      count === 0
        ? 'Aucune adresse ne correspond.'
        : counted(count, 'personne trouvée', 'personnes trouvées'),
    more: 'D’autres personnes correspondent. Précisez l’adresse.',
    nothing: 'Rien n’est enregistré sur une adresse avec ces lettres.',
    devices: (count) => counted(count, 'appareil', 'appareils'),
    subscribed: 'Reçoit les notifications',
    unsubscribed: 'Ne reçoit pas de notifications',
    noPreference: 'N’a jamais eu d’appareil',
  },
  person: {
    title: 'Personne',
    back: 'Personnes',
    gone: 'Plus rien n’est enregistré sur cette personne.',
    language: 'Langue',
    notifications: 'Notifications',
    subscribed: 'Oui',
    unsubscribed: 'Non',
    topics: 'Thèmes suivis',
    everything: 'Tous',
    number: 'Numéro dans l’historique',
    duty: 'Travaille dans la console',
    duties: { editor: 'comme éditeur', operator: 'comme opérateur' },
    clients: 'Clients de l’API qui agissent pour cette personne',
    deliveries: 'Notifications dont l’envoi est connu',
    seen: 'Notifications marquées comme vues',
    devices: 'Appareils',
    noDevices: 'Aucun appareil n’est rattaché.',
    kinds: {
      fcm: 'Téléphone (Firebase)',
      apns: 'iPhone ou iPad',
      webpush: 'Navigateur',
      unroutable: 'Type inconnu, impossible à joindre',
    },
    lastSeen: (moment) => `Vu pour la dernière fois le ${moment}`,
    removed: (moment) => `Retiré le ${moment}, car son application a disparu`,
    posts: 'Ses posts',
    noPosts: 'Cette personne n’a écrit aucun post.',
    morePosts: 'Afficher plus de posts',
    download: 'Tout télécharger',
    downloaded:
      'Téléchargé. Le fichier contient des données personnelles et des jetons d’appareils : gardez-le en lieu sûr.',
    erase: 'Effacer…',
    eraseTitle: (email) => `Effacer ${email} ?`,
    eraseText: 'Ceci supprime pour toujours ce qui est enregistré sur cette personne :',
    eraseConfirm: 'Effacer cette personne pour toujours',
    erased: 'Effacé.',
    goes: {
      preference: 'langue et abonnement',
      devices: (count) => counted(count, 'appareil', 'appareils'),
      posts: (count) =>
        `le nom sous ${counted(count, 'post', 'posts')} ; les textes restent, car ils sont du contenu`,
      deliveries: (count) =>
        `${counted(count, 'ligne', 'lignes')} des rapports d’envoi ; leurs totaux restent`,
      seen: (count) => counted(count, 'marque de notification vue', 'marques de notifications vues'),
      clients: (names) =>
        names.length === 1
          ? `le lien avec le client de l’API ${names[0]}, qui reste`
          : `le lien avec les clients de l’API ${names.join(', ')}, qui restent`,
      manager: 'l’accès à cette console, avec toutes les sessions',
      workingCopies: (count) => counted(count, 'texte non enregistré', 'textes non enregistrés'),
      responses: (count) => counted(count, 'réponse conservée de l’API', 'réponses conservées de l’API'),
      number: 'le lien entre la personne et l’historique',
    },
    backups: 'Les sauvegardes faites auparavant la contiennent encore.',
  },
}
