import { isSpanish } from '../brand/profile/finding-words.ts';

/** What the commands of the owner say, of sheets and files too, in English and in Spanish; `{}` stands for what is filled in. */
// biome-ignore format: a table, a sentence a line
const SENTENCES = {
  fault: ['fault', 'error'],
  warning: ['warning', 'aviso'],
  added: ['added', 'nueva'],
  removed: ['removed', 'quitada'],
  changed: ['changed', 'cambiada'],
  profile_changed: ['profile: changed', 'perfil: cambiado'],

  unverified: ['The signature was not looked at: there is no {}; --jwks names the keys.', 'No se ha mirado la firma: no hay ningún {}; --jwks dice dónde están las claves.'],
  open_studio: ['Open it in a browser of this computer. Ctrl-C ends it; every change is in the file already.', 'Ábrelo en un navegador de este ordenador. Ctrl-C lo cierra; cada cambio está ya en el archivo.'],

  private_key: ['private key: {} (keep it off the server and out of version control: who has it signs in your name)', 'clave privada: {} (ni en el servidor ni en el control de versiones: quien la tiene firma en tu nombre)'],
  public_keys: ['public keys: {} (served as /.well-known/jwks.json)', 'claves públicas: {} (se sirven en /.well-known/jwks.json)'],
  open_key: ['others can read {}: chmod 600 {}', 'otras personas pueden leer {}: chmod 600 {}'],
  no_key: ['there is no {}, though there is {}: name your key with --key, or make another with --new-key', 'no hay ningún {}, aunque sí hay {}: di cuál es tu clave con --key, o haz otra con --new-key'],
  no_key_set: ['there is no {}: servers and readers need the public keys to verify', 'no hay ningún {}: servidores y lectores necesitan las claves públicas para verificar'],
  foreign_key: ['{} does not have the public half of this key ({}): sign with its key, or make another with --new-key', '{} no tiene la mitad pública de esta clave ({}): firma con la suya, o haz otra con --new-key'],
  publish_first: ['Nothing was signed: publish {}, and sign with --key {} an hour later.', 'No se ha firmado nada: publica {}, y firma con --key {} una hora después.'],
  renew_span: ['--renew takes days, months or years: 90d, 6m or 1y', '--renew toma días, meses o años: 90d, 6m o 1y'],
  same_since: ['Nothing changed since that version.', 'Nada ha cambiado desde esa versión.'],
  changed_since: ['Changed since that version:', 'Ha cambiado desde esa versión:'],
  sign: ['Sign {}? [y/N] ', '¿Firmar {}? [s/N] '],
  not_signed: ['Nothing was signed.', 'No se ha firmado nada.'],
  not_agreed: ['Nothing was signed: type y to agree, or sign with --yes in a script.', 'No se ha firmado nada: escribe s para aceptar, o firma con --yes en un script.'],
  signed: ['{}: signed, valid until {}', '{}: firmado, válido hasta {}'],
  live: ['A running server keeps the old text until it reads this file: put it where BRAND_FILE says, then run systemctl reload aval there, or restart the server.', 'Un servidor en marcha guarda el texto anterior hasta que lee este archivo: ponlo donde dice BRAND_FILE y ejecuta allí systemctl reload aval, o reinicia el servidor.'],

  row: ['row {}', 'fila {}'],
  unknown_column: ['the column "{}" is passed over: its heading is not known', 'la columna «{}» no cuenta: su encabezado no se conoce'],
  meant_column: ['the column "{}" is passed over: its heading is not known; did you mean "{}"?', 'la columna «{}» no cuenta: su encabezado no se conoce; ¿querías decir «{}»?'],
  windows: ['is not UTF-8 and was read as a CSV of Windows: look whether its accents are right', 'no está en UTF-8 y se ha leído como CSV de Windows: mira si sus acentos están bien'],
  more: ['… and {} more', '… y {} más'],
  counts: ['{} new, {} changed, {} as before', 'nuevas: {}, cambiadas: {}, como antes: {}'],
  old: ['{} on what did not change: {}', '{} sobre lo que no ha cambiado: {}'],
  named: ['{} made from the words; to change the words later, work on in a file that has the ids: {}', '{} con las palabras; para cambiar las palabras más tarde, trabaja en un archivo que tenga los ids: {}'],
  absent: ['Kept, though the file does not have them: {} (--replace drops them)', 'El archivo no las tiene y se conservan: {} (--replace las quita)'],
  dry_run: ['Nothing was written (--dry-run).', 'No se ha escrito nada (--dry-run).'],
  mend: ['Nothing was written. Mend the faults in {} and import it again.', 'No se ha escrito nada. Corrige los errores en {} e impórtalo otra vez.'],
  same: ['Nothing changed, so nothing was written.', 'Nada ha cambiado, así que no se ha escrito nada.'],
  next: ['The profile is not signed now. Next: {}, then {}', 'El perfil ya no está firmado. Después: {}, y luego {}'],

  not_utf8: ['is not UTF-8: save it as "CSV UTF-8"', 'no está en UTF-8: guárdalo como «CSV UTF-8»'],
  no_table: ['row {} has a quotation mark out of place: put the whole text between double quotes, and write each quote inside it twice', 'la fila {} tiene una comilla fuera de sitio: pon todo el texto entre comillas dobles, y escribe dos veces cada comilla de dentro'],
  no_headings: ['the first row has none of the headings: write at least "statement", "applies to" and "does not apply to"; aval export writes a sheet to start from', 'la primera fila no tiene ningún encabezado conocido: escribe al menos «afirmación», «se aplica a» y «no se aplica a»; aval export escribe una hoja para empezar'],
  same_heading: ['the columns "{}" and "{}" mean the same: keep one', 'las columnas «{}» y «{}» son la misma: deja una'],
  spreadsheet_error: ['holds the error {} of the spreadsheet: mend the formula', 'tiene el error {} de la hoja de cálculo: corrige la fórmula'],
  formula: ['holds a formula: write its result, or put an apostrophe before the =', 'tiene una fórmula: escribe su resultado, o pon un apóstrofo delante del ='],
  two_figures: ['may be {} or {}: write {} or {}', 'puede ser {} o {}: escribe {} o {}'],
  long_cell: ['has more than {} characters: shorten it', 'tiene más de {} caracteres: acórtalo'],
  no_number: ['is no number', 'no es un número'],
  many_cells: ['has more cells than the first row: put texts with the separator between double quotes', 'tiene más celdas que la primera fila: pon entre comillas dobles los textos con el separador'],

  is_folder: ['a folder was named where a file is read: name the file in it', 'se ha dado una carpeta donde se lee un archivo: di el archivo que está dentro'],
  not_ours: ['{} is not for this user: change its owner or its mode, or run this as who owns it', '{} no es de este usuario: cambia su dueño o sus permisos, o ejecuta esto como quien lo tiene'],
  disk_full: ['the disk is full: make room on it', 'el disco está lleno: haz sitio'],
  no_folder: ['there is no folder {}: make it first', 'no existe la carpeta {}: créala antes'],
  no_file: ['there is no file {}: name yours', 'no existe el archivo {}: di cuál es el tuyo'],
  no_file_yet: ['there is no file {}: name yours, or make one with {}', 'no existe el archivo {}: di cuál es el tuyo, o haz uno con {}'],
} as const satisfies Readonly<Record<string, readonly [english: string, spanish: string]>>;

// biome-ignore format: a table, a noun a line
const NOUNS = {
  claim: [['claim', 'claims'], ['afirmación', 'afirmaciones']],
  proof: [['proof', 'proofs'], ['prueba', 'pruebas']],
  fault: [['fault', 'faults'], ['error', 'errores']],
  warning: [['warning', 'warnings'], ['aviso', 'avisos']],
  id: [['id', 'ids'], ['id hecho', 'ids hechos']],
} as const;

export type Sentence = keyof typeof SENTENCES;

/** The words of the owner's commands in the language of a profile: Spanish, else English. */
export function commandWords(language: string) {
  const at = isSpanish(language) ? 1 : 0;
  return {
    say(sentence: Sentence, ...values: readonly (string | number)[]): string {
      let next = 0;
      return SENTENCES[sentence][at].replaceAll('{}', () => String(values[next++] ?? ''));
    },
    count: (count: number, noun: keyof typeof NOUNS) => `${count} ${NOUNS[noun][at][count === 1 ? 0 : 1]}`,
    noun: (noun: keyof typeof NOUNS) => NOUNS[noun][at][0],
  };
}
