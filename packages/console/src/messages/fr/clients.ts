import type { ClientMessages } from '../en/clients.ts'

/** The French words about the clients of the API. */
export const clients: ClientMessages = {
  clients: {
    title: 'Clients de l’API',
    intro: 'Les applications et programmes qui utilisent l’API, chacun avec son secret.',
    add: 'Ajouter un client',
    empty: 'Il n’y a pas encore de client. Les applications en ont besoin pour utiliser l’API.',
    enabled: 'Activé',
    disabled: 'Désactivé',
    actsFor: 'Agit pour',
    lastUsed: 'Dernière utilisation',
    neverUsed: 'Jamais',
    oldUntil: 'L’ancien secret fonctionne jusqu’au',
    rights: 'Droits',
    scopes: {
      user: 'Lit ce qui est public',
      'user-donor': 'Lit aussi ce qui est réservé aux donateurs, et écrit des posts',
      'content-manager': 'Lit et modifie tous les contenus',
    },
    roles: {
      'user-manager': 'Agit pour toutes les personnes',
      'super-admin': 'Compte comme gestionnaire de contenus',
    },
    rotate: 'Nouveau secret…',
    rotateTitle: (name) => `Un nouveau secret pour ${name}`,
    rotateText:
      'Donnez le nouveau secret à l’application. D’ici là, l’ancien peut continuer à fonctionner.',
    keepOld: 'L’ancien secret',
    keep: {
      none: 'cesse de fonctionner tout de suite',
      hour: 'fonctionne encore une heure',
      day: 'fonctionne encore 24 heures',
      week: 'fonctionne encore 7 jours',
    },
    rotateConfirm: 'Créer un nouveau secret',
    disable: 'Désactiver…',
    disableTitle: (name) => `Désactiver ${name} ?`,
    disableText:
      'L’application ne peut plus rien faire : ses jetons prennent fin en cinq secondes, et elle n’en reçoit plus. Vous pourrez la réactiver.',
    disableConfirm: 'Désactiver',
    disabledDone: (name) => `${name} est désactivé.`,
    enable: 'Activer',
    enabledDone: (name) => `${name} est activé.`,
    addTitle: 'Ajouter un client',
    clientId: 'Identifiant',
    clientIdHint: 'Ce avec quoi l’application s’identifie, par exemple donor-app. Il ne peut pas changer.',
    name: 'Nom',
    nameHint: 'Le nom affiché sur cette page. L’identifiant, si vous n’en donnez pas.',
    scope: 'Ce qu’il peut faire',
    scopeNames: { user: 'Public', 'user-donor': 'Donateurs', 'content-manager': 'Tous les contenus' },
    role: 'Autres droits',
    email: 'Agit pour la personne avec cette adresse',
    emailHint: 'Seulement pour un client qu’une seule personne utilise.',
    addConfirm: 'Ajouter',
    secretTitle: (name) => `Le secret de ${name}`,
    secretText:
      'Il n’est affiché que cette fois. Enregistrez-le maintenant là où l’application le trouvera.',
    secret: 'Secret',
    copy: 'Copier le secret',
    copied: 'Copié.',
    notCopied:
      'Votre navigateur ne permet pas de copier. Sélectionnez le secret et copiez-le vous-même.',
    secretUntil: (moment) => `L’ancien secret fonctionne jusqu’au ${moment}.`,
    secretDone: 'Je l’ai enregistré',
  },
}
