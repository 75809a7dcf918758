import type { ManagerMessages } from '../en/managers.ts'

/** The French words of managers and their sessions. */
export const managers: ManagerMessages = {
  managers: {
    title: 'Équipe',
    add: 'Ajouter une personne',
    addAct: 'Ajouter et afficher le lien',
    email: 'Adresse électronique',
    name: 'Nom',
    duty: 'Fonction',
    duties: { editor: 'Rédaction', operator: 'Administration' },
    dutyHints: {
      editor: 'La rédaction écrit, traduit, valide et notifie.',
      operator: 'L’administration fait de même, et gère les personnes, les clients de l’API et le service.',
    },
    language: 'Langue de la console',
    disabled: 'Désactivé',
    you: 'Vous',
    ownAccount: 'Votre compte',
    acts: { link: 'Nouveau lien', sessions: 'Sessions', disable: 'Désactiver', enable: 'Activer' },
    makeOperator: 'Passer à l’administration',
    makeEditor: 'Passer à la rédaction',
    actLabel: (act, name) => `${act} : ${name}`,
    linkTitle: (name) => `Lien de connexion pour ${name}`,
    linkText: (until) =>
      `Envoyez-le à cette personne seulement : il connecte quiconque l’ouvre. Il fonctionne une fois, jusqu’au ${until}, et ne sera plus affiché.`,
    link: 'Lien',
    copy: 'Copier le lien',
    copied: 'Copié.',
    sessionsTitle: (name) => `Sessions de ${name}`,
    endAll: 'Terminer toutes les sessions',
    changed: (name) => `L’accès de ${name} a changé.`,
    confirmTitle: {
      duty: (name, duty) => `Changer la fonction de ${name} : ${duty} ?`,
      disable: (name) => `Désactiver ${name} ?`,
    },
    confirm: { duty: 'Changer la fonction', disable: 'Désactiver' },
    confirmText: {
      duty: 'Toutes les sessions et tous les liens inutilisés de cette personne prennent fin. Elle se reconnectera.',
      disable:
        'Toutes les sessions et tous les liens de cette personne prennent fin, et aucun nouveau n’est possible. Les textes restent.',
    },
  },
  sessions: {
    title: 'Où vous êtes connecté',
    list: 'Sessions ouvertes',
    unknown: 'Navigateur inconnu',
    current: 'Cette session',
    opened: (moment) => `Connexion le ${moment}`,
    seen: (moment) => `dernier usage le ${moment}`,
    none: 'Cette personne n’est connectée nulle part.',
    endOthers: 'Terminer toutes les autres sessions',
    ended: 'Toutes les autres sessions sont terminées.',
  },
}
