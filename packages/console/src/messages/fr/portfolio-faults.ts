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
  [/^(\S+) must be identifiers of sectors$/, '$1 doit contenir des identifiants de secteurs'],
  [/^(\S+) names the unknown sector (.+)$/, '$1 : le secteur $2 n’existe pas'],
  [/^(\S+) names (.+) twice$/, '$1 : $2 figure deux fois'],
  [/^(\S+) names no file in (.+)$/, '$1 : ce fichier n’est pas dans $2'],
  [/^(\S+) is no column of (.+)$/, '$1 n’est pas une colonne de $2'],
  [/^(\S+) is no organization of this portfolio$/, '$1 : cette organisation n’est pas dans le portefeuille'],
  [/^(\S+) belongs to the organization (.+) already$/, '$1 appartient déjà à l’organisation $2'],
  [/^(\S+) repeats (.+)$/, '$1 : répétition de $2'],
  [/^(\S+) is given twice$/, '$1 figure deux fois'],
  [/^(\S+) does not decode whole$/, '$1 : image illisible'],
  [/^(\S+) is required where fr is missing$/, '$1 est obligatoire si fr manque'],
  [/^lacks the column (.+)$/, 'la colonne $1 manque'],
  [/^is no table of a portfolio$/, 'n’est pas une table du portefeuille'],
  [/^is not there$/, 'n’existe pas'],
  [/^is empty$/, 'est vide'],
  [/^must be an array of rows$/, 'doit être une liste de lignes'],
  [/^must be an object$/, 'doit être un objet'],
  [/^has (\d+) fields where the head has (\d+)$/, 'a $1 champs, l’en-tête en a $2'],
  [/^is no JSON from here on: .*$/, 'n’est plus du JSON à partir d’ici'],
  [/^(.+) is required$/, '$1 est obligatoire'],
]

/** Returns a sentence about a bad row in French; as it is where it is not known. */
export const faultText = (text: string): string => {
  const [pattern, french] = SENTENCES.find(([known]) => known.test(text)) ?? []
  return pattern === undefined || french === undefined ? text : text.replace(pattern, french)
}
