import type { DemoFeedPost } from './content.ts'

/** The news of the Merrivane Foundation, which exists nowhere but here; oldest first. */
export const demoFeed: readonly DemoFeedPost[] = [
  {
    itemType: 'photo',
    title: 'Six hundred saplings in one weekend',
    description:
      'Spades came from the fire brigade, soup from the grandmothers’ club, and the rain arrived exactly when it was asked to. Thank you to everyone who planted with us in the hills above Corvenna in 2025. The next planting weekend will be announced here.',
    lang: 'en',
    restricted: false,
    status: 'Archived',
    labels: ['environment', 'community'],
    scene: { motif: 'circle', palette: 'monsoon', seed: 2 },
  },
  {
    itemType: 'link',
    title: 'Rencontre annuelle des donateurs : les inscriptions sont closes',
    description:
      'Merci aux 140 personnes qui se sont inscrites à notre rencontre de printemps. Le programme et les présentations restent accessibles à cette adresse, ainsi que les réponses aux questions que nous n’avons pas eu le temps de traiter en séance.',
    lang: 'fr',
    restricted: true,
    status: 'Archived',
    link: 'https://rencontres.example.org/donateurs-2025',
    labels: ['reports', 'community'],
  },
  {
    itemType: 'photo',
    title: 'Doors open at Tamarisk Hill',
    description:
      'The paint was still drying when ninety-four pupils walked up the new path at Tamarisk Hill this morning. The bell was cast in the village, and the head teacher rang it herself, twice, because the first time everybody cheered over it.',
    lang: 'en',
    restricted: false,
    status: 'Live',
    labels: ['education', 'community'],
    scene: { motif: 'school', palette: 'meadow', seed: 31 },
  },
  {
    itemType: 'vlink',
    title: 'Four minutes on the road with Nurse Adaeze',
    description:
      'Nineteen kilometres, eleven visits and one very stubborn goat: our new short film follows Adaeze through a single Tuesday. Filmed in one day on a handlebar camera, with subtitles in English and French.',
    lang: 'en',
    restricted: false,
    status: 'Live',
    vlink: 'https://video.example.com/watch/nurse-adaeze',
    labels: ['health'],
    scene: { motif: 'clinic', palette: 'meadow', seed: 8 },
  },
  {
    itemType: 'photo',
    title: 'Les premiers plants quittent la pépinière',
    description:
      'Manguiers, karités et moringas : 2 400 jeunes plants ont pris la route ce matin, calés entre les bancs d’un car scolaire. Chaque classe adopte une rangée et note ses arrosages au tableau. « Le mien est déjà plus grand que ma sœur », assure Yao, sept ans.',
    lang: 'fr',
    restricted: false,
    status: 'Live',
    labels: ['environment', 'farming', 'education'],
    scene: { motif: 'nursery', palette: 'lagoon', seed: 19 },
  },
  {
    itemType: 'link',
    title: 'Open call: small grants for school science clubs',
    description:
      'Does your school watch birds, test water or build radios? Clubs in any of our partner countries may apply for up to 1,500 euros. The form takes twenty minutes, no letterhead is needed, and every applicant gets an answer within six weeks.',
    lang: 'en',
    restricted: false,
    status: 'Live',
    link: 'https://grants.example.org/science-clubs',
    labels: ['science', 'education'],
    scene: { motif: 'observatory', palette: 'dusk', seed: 6 },
  },
  {
    itemType: 'vlink',
    title: 'Message aux donateurs : où en est le chantier de l’eau ?',
    description:
      'Depuis le bord du quatrième forage, Maud Kervalen fait le point en trois minutes : ce qui coule, ce qui coince, et pourquoi nous avons changé de foreur en cours de route. Une vidéo tournée sans prompteur, pour vous seuls.',
    lang: 'fr',
    restricted: true,
    status: 'Live',
    vlink: 'https://video.example.com/watch/chantier-de-l-eau',
    labels: ['water', 'reports'],
    scene: { motif: 'well', palette: 'harvest', seed: 23 },
  },
  {
    itemType: 'photo',
    title: 'The nets are down, the boats are out',
    description:
      'First morning of the season on the lake, after three months of rest. By eight o’clock the landing stage smelled of smoke and lime, and the catch was written up on the big board for everyone to see. It is the best opening day since the board was put there.',
    lang: 'en',
    restricted: false,
    status: 'Live',
    labels: ['environment', 'farming'],
    scene: { motif: 'lake', palette: 'lagoon', seed: 3 },
  },
  {
    itemType: 'photo',
    title: 'With thanks: the evening you made possible',
    description:
      'The lamps you paid for were switched on at the Valdorra library last night. Forty people stayed until closing time, most of them to read, some of them simply because it was warm and bright. This picture is for you, before anyone else sees it.',
    lang: 'en',
    restricted: true,
    status: 'Live',
    labels: ['education', 'community'],
    scene: { motif: 'library', palette: 'dusk', seed: 27 },
  },
  {
    itemType: 'link',
    title: 'Ce que disent les rizières : le carnet d’Ishana en ligne',
    description:
      'Six moussons, quatre cents terrasses, un crayon. La pédologue Ishana Thapaliya ouvre son carnet de terrain, croquis compris, et répond aux lecteurs jusqu’à la fin du mois. À parcourir avec une carte sous la main !',
    lang: 'fr',
    restricted: false,
    status: 'Live',
    link: 'https://carnets.example.org/rizieres',
    labels: ['science', 'environment'],
    scene: { motif: 'terraces', palette: 'harvest', seed: 13 },
  },
  {
    itemType: 'photo',
    title: 'Le bibliobus a fait peau neuve',
    description:
      'Nouvel auvent, étagères à hauteur d’enfant et panneau solaire sur le toit : le bibliobus reprend la route lundi. Première halte sur la place du marché de Tisséra, de 9 heures à midi. Apportez vos livres à rendre, on ne comptera pas les jours de retard.',
    lang: 'fr',
    restricted: false,
    status: 'Draft',
    labels: ['education', 'community'],
    scene: { motif: 'bus', palette: 'dawn', seed: 10 },
  },
  {
    itemType: 'vlink',
    title: 'Rough cut: the village that makes its own power',
    description:
      'A first look for donors at our film about the clinic, the workshop and the ice-cream seller who share one small grid. The music is temporary and the ending is still being argued over. Tell us what you think before we lock the edit.',
    lang: 'en',
    restricted: true,
    status: 'Draft',
    vlink: 'https://video.example.com/watch/own-power-rough-cut',
    labels: ['environment', 'health'],
    scene: { motif: 'turbines', palette: 'lagoon', seed: 17 },
  },
]
