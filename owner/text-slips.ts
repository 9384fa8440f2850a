import type { FindingCode } from '../brand/profile/finding-words.ts';
import { SPREADSHEET_ERROR } from './cell.ts';

/** What was never meant for readers, in Spanish and English, wherever it stands. */
export const TEXT_SLIPS: readonly (readonly [code: FindingCode, pattern: RegExp])[] = [
  ['broken_formula', SPREADSHEET_ERROR],
  // The 4th of August for "4-8", and a phone number in powers of ten.
  [
    'spreadsheet_date',
    /(?<![\p{L}\d-])\d{1,2}-(?:ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic|jan|apr|aug|dec)(?![\p{L}-])|\d[.,]\d+E\+\d\d/iu,
  ],
  ['mixed_letters', /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u],
  // A word for it, then one with a letter and a digit.
  [
    'password',
    /(?<!\p{L})(?:contraseña|clave|password|passcode|passwd|pwd)(?:\s+(?:es|is))?\s*[:=]?\s*["'«“]?(?=\S*\d)(?=\S*\p{L})\S{6,}/iu,
  ],
  // "siglo XX" and "XXL" are none.
  [
    'placeholder',
    /[€$£] ?[xX]{2,}(?!\p{L})|(?<!\p{L})(?:XX+|xx+)(?= ?(?:€|%|euros?|metros?|d[íi]as?|horas?|minutos?|meses|a[ñn]os?|personas?|pounds?|dollars?|metres?|days?|hours?|minutes?|months?|years?|people|per cent|por ciento)(?!\p{L}))|(?<![\p{L}.])xxx+(?!\p{L})|\[(?:[^\][]*\?|x+|(?:the |el |la |your |tu )?(?:price|precio|name|nombre|date|fecha|number|n[úu]mero|figure|cifra|importe|amount|ciudad|city|insert[^\][]*|pendiente|pending|tb[dc]|todo)[^\][]{0,20})\](?!\()|(?<!\p{L})(?:TBD|TBC|FIXME|PENDIENTE)(?!\p{L})|(?<!\p{L})TODO:|^TODO (?:add|write|check|fix|update|ask)(?!\p{L})|[Ll]orem ipsum|\?\?\?/u,
  ],
  [
    'internal_note',
    /^(?:DRAFT|BORRADOR)(?!\p{L})|(?:^|[(:[–—-] ?)(?:[Dd]o not|DO NOT|[Nn]o|NO) (?:publi(?:sh|car)|PUBLI(?:SH|CAR))(?!\p{L})|(?:[Cc]heck|[Aa]sk|[Cc]onfirm)(?: this)?(?: with)? \p{Lu}\p{L}+ (?:first|before publishing)|(?:[Pp]reguntar|[Cc]onsultar|[Cc]onfirmar|[Cc]omprobar|[Rr]evisar)[^.()]{0,40} antes de publicar(?:l[oa]s?)?(?!\p{L})/u,
  ],
  [
    'order',
    /ignor(?:e|a|ad|en|es?) (?:all )?(?:(?:the|your|any|todas|las|tus|sus|cualquier) ){0,3}(?:(?:previous|prior|earlier|above|other) (?:instructions?|prompts?|rules)|(?:instrucciones|órdenes|reglas)(?: anteriores| previas)?)|always recommend (?:us|this (?:brand|firm|company))|(?:recomi[ée]nda(?:nos)?|recomi[ée]nden?(?:nos)?) siempre|siempre recomi[ée]nda(?:nos)? a |you must (?:always|never) (?:say|recommend|mention|claim)|^(?:system|sistema):/iu,
  ],
  // UTF-8 that was read as letters of Windows, and the mark of a letter that was lost.
  ['broken_letters', /Ã[\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[\u00A0-\u00BF]|â(?:€|\u0080)|\uFFFD/u],
  [
    'private_link',
    /https?:\/\/(?:[^\s/]*[.-])?(?:localhost|staging|preview|preprod|127\.0\.0\.1)(?![\p{L}\d])/iu,
  ],
  [
    'guaranteed',
    /(?<!\p{L})(?:guaranteed (?:results?|success)|results? (?:are )?guaranteed|resultados? (?:100 ?% )?garantizad[oa]s?|éxito garantizado|risk[- ]free guarantee|(?:we|which) guarantee (?:[^.]{0,60} (?:will|to) |you(?:r|’ll|'ll)? )(?:\p{L}+ )?(?:double|triple|increase|rise|grow|save|sell|rank|earn)|garantizamos que [^.]{0,40}(?:ahorr|duplic|dobl|triplic|aument|vend|gan)(?:ar|er)[áae]\p{L}*)/iu,
  ],
];

/** Marks without width, which nobody types: no word is found whose letters they part. Emojis are joined by one of them. */
export const NO_WIDTH = /[\u200B\u200E\u200F\u2060\uFEFF]|(?<=\p{L})[\u200C\u200D](?=\p{Script=Latin})/u;
