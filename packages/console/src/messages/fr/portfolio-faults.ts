/** The server's sentences about bad rows, and the same in French. `$1` stands for a part that both have. */
const SENTENCES: ReadonlyArray<readonly [pattern: RegExp, french: string]> = [
  [/^(\S+) is required$/, '$1 est obligatoire'],
  [/^(\S+) must not be empty$/, '$1 ne doit pas être vide'],
  [/^(\S+) must be a whole number from (\d+) to (\d+)$/, '$1 doit être un nombre entier de $2 à $3'],
  [/^(\S+) must have at most (\d+) characters$/, '$1 : $2 caractères au plus'],
  [/^(\S+) must be en or fr$/, '$1 doit être en ou fr'],
  [/^(\S+) must be three capital letters$/, '$1 : trois majuscules attendues'],
  [/^(\S+) must be an absolute http or https URL$/, '$1 doit être une adresse web complète (http ou https)'],
  [/^(\S+) must be the name of a file, without a folder$/, '$1 doit être le nom d’un fichier, sans dossier'],
  [
    /^(\S+) must be identifiers of sectors, with spaces between them$/,
    '$1 doit contenir des identifiants de secteurs, séparés par des espaces',
  ],
  [
    /^(\S+) names the unknown sector (.+): add it to sectors, or name one that is there$/,
    '$1 : le secteur $2 n’existe pas ; ajoutez-le aux secteurs, ou nommez-en un qui existe',
  ],
  [/^(\S+) names (.+) twice: keep one$/, '$1 : $2 figure deux fois ; gardez-en un'],
  [/^(\S+) names (\S+), which is a folder$/, '$1 : $2 est un dossier'],
  [/^(\S+) names (\S+), which has more than (\d+) MiB$/, '$1 : $2 dépasse $3 Mio'],
  [
    /^(\S+) names no file in (\S+): add it, or correct the name$/,
    '$1 : ce fichier n’est pas dans $2 ; ajoutez-le, ou corrigez le nom',
  ],
  [
    /^(.+) is no column of (\S+): the nearest known name is (.+)$/,
    '$1 n’est pas une colonne de $2 ; le nom connu le plus proche est $3',
  ],
  [
    /^(\S+) is no organization of this portfolio: .*$/,
    '$1 : cette organisation n’est pas dans le portefeuille ; ajoutez-la aux organisations, ou nommez-en une qui existe',
  ],
  [
    /^(\S+) belongs to the organization (.+) already: give this challenge another number$/,
    '$1 appartient déjà à l’organisation $2 ; donnez un autre numéro à ce défi',
  ],
  [/^(\S+) repeats (.+): keep one of the two rows$/, '$1 : répétition de $2 ; gardez une des deux lignes'],
  [
    /^(\S+) is given twice: keep one of the two columns$/,
    '$1 figure deux fois ; gardez une des deux colonnes',
  ],
  [/^(\S+) is given twice: keep one$/, '$1 figure deux fois ; n’en gardez qu’un'],
  [/^(\S+) must be given once$/, '$1 ne doit figurer qu’une fois'],
  [/^(\S+) must be a single value$/, '$1 doit être une seule valeur'],
  [/^(\S+) must be one of (.+)$/, '$1 doit être l’une de ces valeurs : $2'],
  [/^(\S+) must not contain U\+0000 or lone surrogates$/, '$1 contient un caractère interdit'],
  [
    /^(\S+) must not hold a user name or password$/,
    '$1 ne doit contenir ni nom d’utilisateur ni mot de passe',
  ],
  [
    /^(\S+) must be 1 to 100 characters that a path can hold: no white space, none of (.+)$/,
    '$1 : de 1 à 100 caractères, sans espace et sans $2',
  ],
  [/^(\S+) must not be (\S+), which is part of a path$/, '$1 ne doit pas être $2, un mot des adresses'],
  [/^(\S+) must be an SVG, PNG or JPEG by its content$/, '$1 : image SVG, PNG ou JPEG attendue'],
  [
    /^(\S+) must be an SVG, PNG or JPEG; this is ([^:]+): .*$/,
    '$1 : fichier au format $2 ; envoyez une image SVG, PNG ou JPEG',
  ],
  [/^(\S+) must not be animated$/, '$1 : une image animée n’est pas acceptée'],
  [/^(\S+) has too many bytes$/, '$1 : image trop lourde'],
  [/^(\S+) is too large: (\d+) by (\d+) pixels$/, '$1 : image trop grande, $2 × $3 pixels'],
  [
    /^(\S+) does not decode whole: the file ends before the image does$/,
    '$1 : image incomplète, il manque la fin du fichier',
  ],
  [/^(\S+) does not decode whole: a part of the file is missing or damaged$/, '$1 : image abîmée'],
  [/^(\S+) does not decode whole: it has more than (\d+) .*$/, '$1 : image en trop de morceaux, $2 au plus'],
  [/^(\S+) does not decode whole: it must be in UTF-8$/, '$1 : un SVG doit être en UTF-8'],
  [
    /^(\S+) does not decode whole: its first element must be <svg>, without a prefix$/,
    '$1 : le premier élément doit être <svg>, sans préfixe',
  ],
  [
    /^(\S+) does not decode whole: its <svg> element has no xmlns: write (.+)$/,
    '$1 : xmlns manque dans l’élément <svg> ; écrivez $2',
  ],
  [
    /^(\S+) does not decode whole: its <svg> element has (xmlns="[^"]*"): write (.+)$/,
    '$1 : l’élément <svg> contient $2 ; écrivez $3',
  ],
  [
    /^(\S+) does not decode whole: line (\d+) uses the prefix (\S+): write (.+)$/,
    '$1 : la ligne $2 emploie le préfixe $3 ; écrivez $4',
  ],
  [/^(\S+) does not decode whole: line (\d+) is no XML: .*$/, '$1 : la ligne $2 n’est pas du XML correct'],
  [/^(\S+) does not decode whole.*$/, '$1 : image illisible'],
  [/^(\S+) is required where fr is missing$/, '$1 est obligatoire si fr manque'],
  [
    /^(.+) is unknown here: the one name that is known is name$/,
    '$1 n’est pas attendu ici ; le seul nom connu est name',
  ],
  [
    /^(column \d+) has no name in the head: name it, or empty it$/,
    'cette valeur est dans une colonne sans nom : nommez-la, ou videz-la',
  ],
  [
    /^(column \d+) is one too many, as the head has (\d+): .*$/,
    'cette valeur est de trop, l’en-tête a $2 colonnes : mettez entre guillemets un texte qui contient des séparateurs',
  ],
  [
    /^has (\d+) fields where the head has (\d+): at most (\d+)$/,
    'a $1 champs, l’en-tête en a $2 : $3 au plus',
  ],
  [
    /^lacks the organization (\S+), to which rows of (.+) point that this load leaves as they are: .*$/,
    'n’a pas l’organisation $1, mais des lignes de $2, que ce chargement laisse telles quelles, s’y rapportent : gardez $1, ou chargez aussi $2',
  ],
  [
    /^lacks the sector (\S+), to which rows of organizations point that this load leaves as they are \((.+)\): .*$/,
    'n’a pas le secteur $1, mais les organisations, que ce chargement laisse telles quelles, s’y rapportent ($2) : gardez $1, ou chargez aussi les organisations',
  ],
  [
    /^(\S+) is not in UTF-8: save the file as "CSV UTF-8"$/,
    '$1 n’est pas en UTF-8 : enregistrez le fichier au format « CSV UTF-8 »',
  ],
  [
    /^(\S+) is not in UTF-8: save the file in UTF-8$/,
    '$1 n’est pas en UTF-8 : enregistrez le fichier en UTF-8',
  ],
  [/^is not in UTF-8: save the file .*$/, 'n’est pas en UTF-8 : enregistrez le fichier en UTF-8'],
  [
    /^is a workbook or an archive: save it as "CSV UTF-8"$/,
    'est un classeur ou une archive : enregistrez-le au format « CSV UTF-8 »',
  ],
  [/^has more than (\d+) blanks in a row from here on$/, 'a plus de $1 blancs à la suite à partir d’ici'],
  [/^is damaged text in UTF-16: save it again$/, 'est un texte UTF-16 abîmé : enregistrez-le à nouveau'],
  [
    /^is no file of a portfolio: the nearest known name is (.+)$/,
    'n’est pas un fichier du portefeuille ; le nom connu le plus proche est $1',
  ],
  [
    /^must begin with the names of its columns: (.+); it begins with (".*")$/,
    'doit commencer par le nom de ses colonnes : $1 ; il commence par $2',
  ],
  [/^must begin with the names of its columns: (.+)$/, 'doit commencer par le nom de ses colonnes : $1'],
  [
    /^(column \d+|\S+) has quotes that are not as RFC 4180 has them: .*$/,
    '$1 a des guillemets mal placés : mettez toute la cellule entre guillemets, et doublez ceux qu’elle contient',
  ],
  [/^stands beside (\S+): keep one of the two$/, 'double $1 : gardez l’un des deux'],
  [/^is a folder$/, 'est un dossier'],
  [
    /^is one file too many: a portfolio has at most (\d+) files$/,
    'est de trop : un portefeuille a au plus $1 fichiers',
  ],
  [
    /^is too much: all files of a portfolio have at most (\d+) MiB$/,
    'est de trop : au plus $1 Mio pour tous les fichiers',
  ],
  [/^takes more memory than reading may.*$/, 'demande trop de mémoire : divisez le chargement'],
  [/^is row (\d+): a table has at most (\d+) rows$/, 'est la ligne de trop : une table a au plus $2 lignes'],
  [/^is more than (\d+) deep from here on$/, 'a plus de $1 niveaux à partir d’ici'],
  [/^has more than (\d+) fields, or one with too long a name$/, 'a plus de $1 champs, ou un nom trop long'],
  [/^has (\d+) fields: at most (\d+)$/, 'a $1 champs : $2 au plus'],
  [
    /^is the last error that is named: reading stopped after (\d+)$/,
    'est la dernière erreur affichée : la lecture s’arrête après $1',
  ],
  [/^leads out of its folder$/, 'mène hors de son dossier'],
  [/^has no name$/, 'n’a pas de nom'],
  [/^has a folder without a name$/, 'a un dossier sans nom'],
  [/^has a control character in its name$/, 'a un caractère de contrôle dans son nom'],
  [/^has a (?:name|path) of more than (\d+) bytes$/, 'a un nom de plus de $1 octets'],
  [/^has too long a name$/, 'a un nom trop long'],
  [/^has a name that cannot be stored$/, 'a un nom qui ne peut être enregistré'],
  [/^has a name that Windows keeps for devices$/, 'a un nom que Windows réserve'],
  [/^has a name that ends with a dot or a space$/, 'a un nom qui finit par un point ou une espace'],
  [/^has a folder with the name of the file (.+)$/, 'a un dossier du même nom que le fichier $1'],
  [/^has the same name as (.+): keep one of the two$/, 'a le même nom que $1 : gardez l’un des deux'],
  [/^is there twice: keep one of the two$/, 'figure deux fois : gardez l’un des deux'],
  [/^is a file and a folder$/, 'est à la fois un fichier et un dossier'],
  [/^is below a file$/, 'se trouve sous un fichier'],
  [
    /^is encrypted: send the archive without a password$/,
    'est chiffré : envoyez l’archive sans mot de passe',
  ],
  [
    /^is packed by a method that is not supported \((\d+)\): .*$/,
    'est compressé par une méthode inconnue ($1) : employez Deflate',
  ],
  [/^is a link, or no regular file$/, 'est un lien ou un fichier spécial'],
  [
    /^is damaged in the archive: its checksum is wrong$/,
    'est abîmé dans l’archive : sa somme de contrôle est fausse',
  ],
  [/^is damaged in the archive: .*$/, 'est abîmé dans l’archive'],
  [/^is one part of an archive that was split: .*$/, 'est une partie d’une archive : rassemblez les parties'],
  [
    /^is no zip archive that can be read: .*$/,
    'n’est pas une archive zip lisible : elle est peut-être coupée',
  ],
  [/^is no zip archive that can be read$/, 'n’est pas une archive zip lisible'],
  [/^has more than (\d+) MiB$/, 'dépasse $1 Mio'],
  [/^(\S+) has changed while it was read$/, '$1 : le fichier a changé pendant la lecture'],
  [/^must be an object with name$/, 'doit être un objet avec « name »'],
  [/^must be an object with name and tables$/, 'doit être un objet avec « name » et des tables'],
  [/^lacks the column (.+): add it$/, 'la colonne $1 manque : ajoutez-la'],
  [
    /^(.+) is no table of a portfolio: the nearest known name is (.+)$/,
    '$1 n’est pas une table du portefeuille ; le nom connu le plus proche est $2',
  ],
  [/^is not there$/, 'n’existe pas'],
  [/^is empty$/, 'est vide'],
  [/^must be an array of rows$/, 'doit être une liste de lignes'],
  [/^must be an object with the columns of the table$/, 'doit être un objet avec les colonnes de la table'],
  [/^is no JSON from its end on: .*$/, 'n’est pas du JSON entier : la fin manque'],
  [/^is no JSON from (".*") on: .*$/, 'n’est plus du JSON à partir de $1'],
  [/^(.+) is required$/, '$1 est obligatoire'],
]

const translated = (text: string): string | undefined => {
  const [pattern, french] = SENTENCES.find(([known]) => known.test(text)) ?? []
  return pattern === undefined || french === undefined ? undefined : text.replace(pattern, french)
}

/** The column of a sentence that repeats a value, before its quotes. */
const COLUMN = /^(?:(column \d+|\S+) )?"/

/** Returns a sentence that repeats a value in French. The value may hold quotes: the first one after which the rest is known ends it. */
const withValue = (text: string): string | undefined => {
  const [before, column = ''] = COLUMN.exec(text) ?? []
  if (before === undefined) return undefined
  for (let end = text.indexOf('" ', before.length); end >= 0; end = text.indexOf('" ', end + 1)) {
    const french = translated(`${column} ${text.slice(end + 2)}`.trim())
    const value = `« ${text.slice(before.length, end)} »`
    if (french === undefined) continue
    const isFirst = column !== '' && french.startsWith(`${column} `)
    return isFirst ? `${column} ${value}${french.slice(column.length)}` : `${value} : ${french}`
  }
  return undefined
}

/** Returns a sentence about a bad row in French; as it is where it is not known. */
export const faultText = (text: string): string => withValue(text) ?? translated(text) ?? text
