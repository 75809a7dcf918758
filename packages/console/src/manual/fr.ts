import type { Manual } from './en.ts'

/** The manual in French. */
export const fr: Manual = {
  account: {
    title: 'Se connecter, et votre compte',
    text: [
      'Un opérateur vous donne un lien qui vous connecte une fois, dans les 24 heures. Ensuite, choisissez **Ajouter une clé d’accès** : désormais, le verrouillage de votre téléphone ou de votre ordinateur suffit. Si votre service le propose, vous pouvez aussi **Définir un mot de passe** avec une application qui affiche des codes. Imprimez alors les codes de secours.',
      'Une session se termine après huit heures sans activité. Ce que vous avez saisi est gardé : reconnectez-vous dans la page et reprenez. Certaines actions vous demandent de confirmer que c’est bien vous, si votre connexion date de plus de cinq minutes.',
      'La **Langue de la console** et le **Fuseau horaire de la console** ne changent que pour vous. Toutes les heures sont celles de votre fuseau. **Créer une adresse** donne à votre lecteur de flux une adresse privée, qui indique combien de posts attendent, sans aucun nom ni texte.',
    ],
  },
  desk: {
    title: 'Le bureau',
    text: [
      'Le bureau rassemble votre travail : les posts de donateurs à valider, les publications auxquelles il manque une langue, les traductions à mettre à jour, vos textes non enregistrés et les liens qui ne mènent nulle part. Chaque ligne mène au travail à faire.',
      'Plus bas se trouvent les notifications du jour et les courbes des douze derniers mois. Les changements des autres apparaissent d’eux-mêmes.',
    ],
  },
  list: {
    title: 'La bibliothèque et le fil',
    text: [
      'La **Bibliothèque** contient les publications ; le **Fil**, les photos, liens et vidéos. Une publication en deux langues tient sur une ligne, avec l’état de chacune. Son titre ouvre les deux côte à côte ; le nom d’une langue n’ouvre que celle-ci.',
      'L’adresse de la page contient la recherche, les filtres et l’ordre : envoyez-la à un collègue, il verra la même liste.',
      [
        'Cochez plusieurs lignes, ou toutes celles qui correspondent, pour les publier, les archiver ou les étiqueter ensemble. Une question les nomme toutes auparavant.',
        'Une entrée qu’un collègue a modifiée entre-temps reste telle quelle, et le rapport la nomme.',
        'Les signes en fin de ligne copient son lien, ou en font une copie à l’état de brouillon.',
      ],
    ],
  },
  editor: {
    title: 'Rédiger',
    text: [
      'Ce que vous saisissez est gardé au bout d’une seconde, pour vous seul, sur tous vos ordinateurs. Les lecteurs le voient quand vous choisissez **Publier**, ou **Enregistrer** si le texte est déjà en ligne.',
      [
        'Si vous choisissez **Publier** trop tôt, la page énumère tout ce qui manque. Chaque ligne mène à son champ.',
        'Déposez une image, ou utilisez **Choisir un fichier**. Les images des posts se recadrent dans la page. Décrivez chaque image pour les personnes qui ne la voient pas.',
        '**En ligne à partir du** et **En ligne jusqu’au** mettent en ligne et archivent à l’heure dite. Une date de publication future ne cache rien.',
        'Après un enregistrement, une mise en ligne ou un archivage, le message propose de revenir en arrière pendant dix secondes.',
        'Si un collègue modifie le même texte, les changements sont réunis. Si vous avez tous deux changé le même champ, vous choisissez.',
        'Un brouillon jamais mis en ligne peut être supprimé. Pour ce que les lecteurs ont déjà vu, utilisez **Archiver**.',
      ],
    ],
  },
  translation: {
    title: 'Deux langues',
    text: [
      'L’anglais et le français sont côte à côte, avec une seule date et les mêmes images. **Enregistrer les deux** et **Publier les deux** agissent sur les deux à la fois.',
      'Une langue est à mettre à jour si l’autre a changé depuis que les deux disaient la même chose. La page montre les mots changés, avant et après. Modifiez le texte, ou choisissez **Rien à changer ici** s’il convient déjà.',
      'Si l’autre langue existe déjà comme publication, **Lier** réunit les deux. **Séparer les deux** les sépare à nouveau.',
    ],
  },
  preview: {
    title: 'L’aperçu',
    text: [
      'L’aperçu montre le texte comme sur un téléphone, petit ou grand, clair ou sombre, dans chaque langue : la version **Enregistrée**, ou celle **En cours** avant que vous l’enregistriez, même pour un texte à peine commencé.',
      '**Ouvrir dans l’application** le montre dans l’application de votre fondation pendant 15 minutes, si le service la connaît. Un nouveau texte s’enregistre d’abord.',
    ],
  },
  proposals: {
    title: 'Les propositions',
    text: [
      'Chaque **Enregistrer** d’un contenu en ligne est aussitôt visible. Pour qu’un collègue relise d’abord, modifiez le texte puis choisissez **Partager comme proposition**, ou **Partager comme propositions** sur la page des deux langues. Les lecteurs gardent la version précédente. Un contenu a une seule proposition à la fois.',
      'La page **Propositions** les liste. Celle d’une proposition montre, mot à mot, ce qui changerait pour les lecteurs ; l’aperçu la montre comme sur un téléphone.',
      [
        '**Modifier le texte ou les images** ouvre le formulaire. Tous vos collègues peuvent modifier une proposition.',
        '**Publier la proposition** demande d’abord confirmation et nomme ce que les lecteurs verront. Texte et images changent ensemble.',
        'Sous **Publier plus tard**, vous choisissez le jour et l’heure de sa publication automatique. Le calendrier la montre et permet de changer le jour.',
        '**Abandonner la proposition** la retire. Le message permet de revenir en arrière pendant dix secondes, comme après la publication.',
        'Si la version en ligne a changé entre-temps, les deux sont réunies ; si le même champ a changé des deux côtés, vous choisissez. À sa date, une telle proposition n’est pas publiée : le bureau le signale.',
      ],
    ],
  },
  history: {
    title: 'L’historique',
    text: [
      'Chaque modification est là avec son auteur et son heure, les mots retirés et ajoutés, et les images avant et après. **Restaurer** ramène une version plus ancienne. C’est une modification comme une autre : vous pouvez la défaire de la même façon.',
    ],
  },
  queue: {
    title: 'À valider',
    text: [
      'Les posts des donateurs attendent ici, le plus ancien d’abord. **Approuver** montre le post aux lecteurs, **Archiver** non. **Dire pourquoi non** l’archive avec une raison que le donateur lira.',
      'Un appui n’agit qu’une fois, et seulement sur un post que vous avez vu pendant une demi-seconde. **Vos dernières décisions** sont plus bas, chacune avec **Revenir en arrière**.',
      'Sous le post se trouvent ceux que le même donateur a déjà envoyés. La **Vue d’ensemble** montre en grille tout ce qui attend.',
      'Touches : `A` approuve, `R` archive, `W` demande la raison, `J` et `K` passent au post suivant ou précédent, `Z` revient en arrière.',
    ],
  },
  notifications: {
    title: 'Les notifications',
    text: [
      'La page montre les notifications d’un mois dans les deux langues, en **Liste** ou en **Calendrier**.',
      [
        'Avant l’envoi, utilisez **La modifier** ou **Annuler cette notification**.',
        'Pendant l’envoi, la page indique combien d’appareils sont traités. **Arrêter l’envoi** y met fin : les téléphones qui l’ont reçue la gardent.',
        'Le **Bilan** compte les appareils : notification reçue, application retirée, déconnexion ou notifications désactivées, appareil non atteint.',
      ],
    ],
  },
  composer: {
    title: 'Écrire une notification',
    text: [
      'Choisissez **Avertir les lecteurs** sur une publication en ligne, ou **Nouvelle notification**. Écrivez les deux langues côte à côte : elles sont planifiées, déplacées et annulées ensemble.',
      [
        'La page indique combien d’appareils la recevront, où les téléphones coupent le texte, et les notifications déjà faites pour cette publication.',
        'Choisissez un jour, une heure et son fuseau, ou **Maintenant**.',
        '**Essai sur votre propre appareil** ne l’envoie qu’à votre téléphone.',
        'La dernière question donne le nombre d’appareils. Une notification envoyée ne peut pas être reprise.',
      ],
    ],
  },
  calendar: {
    title: 'Le calendrier',
    text: [
      'Un mois ou une semaine montre les publications à leur date, les mises en ligne et archivages programmés, et les notifications passées et à venir.',
      'Faites glisser une entrée vers un autre jour, ou choisissez **Déplacer** puis le jour. L’heure reste la même, et les deux langues se déplacent ensemble. Ce qui est envoyé ne bouge plus.',
    ],
  },
  results: {
    title: 'Les résultats',
    text: [
      'Par mois : les publications, les posts, les notifications, et les téléphones et navigateurs atteints ou non, avec la raison. Plus bas, les appareils par type et les personnes par langue et par thème, tels qu’ils sont aujourd’hui.',
      '**CSV** enregistre un tableau pour un tableur. **Imprimer** imprime la page sans le cadre.',
    ],
  },
  portfolio: {
    title: 'Le portefeuille',
    text: [
      'Les organisations que soutient la fondation, avec leurs images, leurs chiffres par année et leurs textes dans les deux langues. La page signale les textes auxquels il manque une langue, et les passages mis en avant qui ne figurent pas dans leur texte.',
      'Le portefeuille se modifie par des fichiers. **Exporter** les donne dans une archive zip, avec des tables que lit un tableur. Modifiez-les, puis choisissez **Charger des fichiers**.',
    ],
  },
  'portfolio-load': {
    title: 'Charger le portefeuille',
    text: [
      'Déposez le dossier ou l’archive zip, ou choisissez-les. La page montre chaque erreur avec son fichier et sa ligne. Rien ne change avant votre accord.',
      'Sans erreur, elle montre chaque organisation nouvelle, modifiée ou supprimée, avec les valeurs avant et après. Une table absente des fichiers reste telle quelle.',
      '**Charger ces fichiers** demande confirmation avec les nombres, puis remplace tout en une fois. Si le portefeuille a changé entre-temps, rien ne se passe.',
    ],
  },
  search: {
    title: 'La recherche et les touches',
    text: [
      '**Rechercher**, ou `Ctrl K`, trouve les pages, les actions, les publications et les posts par leur nom, et pour les opérateurs les personnes par leur adresse.',
      '`?` ouvre l’aide d’une page. Les **Raccourcis clavier** sont tous sur une page. Ceux d’une seule touche peuvent être désactivés, pour les personnes qui dictent.',
      'Les nombres à côté des pages comptent ce qui reste à faire.',
    ],
  },
  people: {
    title: 'Les personnes',
    text: [
      'Pour les opérateurs. La recherche trouve toute personne au sujet de laquelle quelque chose est conservé, par son adresse e-mail ou une partie de celle-ci.',
      'La page d’une personne montre ses appareils, ses posts et tout ce qui est conservé. **Tout télécharger** l’enregistre dans un fichier : gardez-le en lieu sûr. **Effacer…** nomme d’abord tout ce qui disparaît. C’est définitif.',
    ],
  },
  clients: {
    title: 'Les clients de l’API',
    text: [
      'Pour les opérateurs. Ce sont les applications et programmes qui utilisent le service, avec leurs droits et leur dernière utilisation.',
      '**Ajouter un client** n’affiche son secret qu’une fois : copiez-le. **Nouveau secret…** en crée un autre, et l’ancien fonctionne le temps que vous choisissez. Un client désactivé s’arrête en cinq secondes, et peut être réactivé.',
    ],
  },
  managers: {
    title: 'L’équipe',
    text: [
      'Pour les opérateurs. Ce sont les personnes qui travaillent dans la console. La rédaction écrit et publie. L’administration gère aussi les personnes, les clients et le service.',
      '**Ajouter une personne** affiche un lien qui la connecte une fois. Ne le donnez qu’à elle.',
      'Après une perte ou un vol, retirez la clé d’accès ou le mot de passe de la personne, choisissez **Terminer toutes les sessions**, et créez un nouveau lien. La dernière personne de l’administration ne peut être ni désactivée ni changée de fonction.',
    ],
  },
  operations: {
    title: 'L’exploitation',
    text: [
      'Pour les opérateurs. La page montre le service en marche. Un côté de l’hexagone en tirets rouges demande votre attention.',
      'Les **Constats** disent quoi faire, le plus urgent d’abord. **Vérifier encore** relance les vérifications. Un fournisseur de notifications peut être mis en pause ; ses appareils attendent la reprise.',
    ],
  },
  audit: {
    title: 'Le journal d’audit',
    text: [
      'Pour les opérateurs. Tous les changements, le dernier d’abord : quoi, par qui et quand. Filtrez par personne, application, action et jour. L’adresse de la page contient les filtres : vous pouvez l’envoyer à un autre opérateur.',
    ],
  },
}
