/** Ways to write what must be filled in, and what follows it, each with the one that is read. */
export const WISH_SPELLINGS: readonly [RegExp, string][] = [
  // "Optionally leave their name and phone"
  [
    /\boptionally,? (?:leave|give|provide|share|add|enter|tell us) ((?:their |an? |the )?(?:\p{L}{1,20} ){0,2}\p{L}{1,20}) and ((?:their |an? |the )?(?:\p{L}{1,20} ){0,2}?\p{L}{1,20})(?=[,.;\n]|$| so )/gimu,
    '$1 (optional), $2 (optional)',
  ],
  // "Name, email and if you like a phone"
  [
    /(?<=[\p{L})])(?:,| and|, and) if (?:you|they)(?:['’]d)? (?:like|want|wish),? (?:also )?(?:an? |the |their |your )?((?:\p{L}{2,15} )?(?:phone|e-?mail|name|address|comments?|photo)(?: number| address)?)(?=[,.;\n]|$)/gimu,
    ', $1 (optional)',
  ],
  // "Get the customer's info, then ask which …"
  [
    /\b(get|collect|gather|ask for) (?:the |our )?(?:customer|client|user|guest)(?:['’]s)? (?:contact )?(?:info(?:rmation)?|details|data)(?=,? (?:then|and then|and ask) )/giu,
    '$1 name, phone, email',
  ],
  // "Name and phone (both optional)", "nombre y teléfono (opcionales)"
  [
    /(?<=^|[,;:.\n] ?)([^,;:.()\n]{2,40}?), ([^,;:.()\n]{2,40}?),? (?:and|y|e) ([^,;:.()\n]{2,40}?) \((?:(?:both|all|amb[oa]s|tod[oa]s) (optional|required|mandatory|opcional|obligatori[oa])(?:es|s)?|(opcional|obligatori[oa])(?:es|s))\)/gimu,
    '$1 ($4$5), $2 ($4$5), $3 ($4$5)',
  ],
  [
    /(?<=^|[,;:.\n] ?)([^,;:.()\n]{2,40}?),? (?:and|y|e) ([^,;:.()\n]{2,40}?) \((?:(?:both|all|amb[oa]s|tod[oa]s) (optional|required|mandatory|opcional|obligatori[oa])(?:es|s)?|(opcional|obligatori[oa])(?:es|s))\)/gimu,
    '$1 ($3$4), $2 ($3$4)',
  ],
  // "Name, phone, email all required; message optional"
  [
    /^((?!all\b)[^.;:?()\n]*, ?[^.;:?()\n]*?),? (?:are )?all (required|mandatory|optional)(?=[;.]|$)/gimu,
    '$1.\nAll fields are $2',
  ],
  // What is said of all fields, or of one alone, behind a list of them.
  [
    /(?:[;,]| [-–—]) (?=(?:all|everything|todos|todas|todo)\b[^.;,\n]{0,40}\b(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '\n',
  ],
  // "Name, email and phone: the phone is optional"
  [
    /(?<=,[^:.;\n]{1,100} (?:and|y) [^:.;\n]{1,40}): (?=[^:.;,\n]{1,40} (?:is|are|es|son) (?:not )?(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?)\b)/giu,
    '.\n',
  ],
  // "Name and email are required, and the rest optional"
  [
    /, (?:and|but|while|y|pero) (?=(?:(?:the |el |lo |los )?(?:rest|others|resto|demás)|everything else)\b[^.;,\n]{0,20}\b(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?)\b)/giu,
    '\n',
  ],
  // "Street and city, all required, plus a note": what follows is asked for as well.
  [
    /(?<=[-–—,;\n] ?(?:all|everything|todos|todas|todo)(?: (?:of (?:them|these)|fields|son|are|is)){0,2} (?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?))(?:,? (?:plus|and(?: also)?|along with|más|y(?: también)?)|[;,](?! (?:except|but|excepto|menos|salvo)\b)) (?!(?:optional|required|mandatory|opcional|obligatori))/giu,
    '\nFields: ',
  ],
  [
    /,? (?:where|but|and|donde|pero|y) (?=(?:only|just|solo|sólo)\b[^.;,\n]{1,60} (?:is|are|es|son) (?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '\n',
  ],
  // "The email is required, the name optional."
  [
    /(?<=\b(?:is|are|es|son) (?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?),? (?:(?:and|but|y|pero) )?)((?:the |el |la )?[\p{L}'’]{1,30}(?: [\p{L}'’]{1,30}){0,2}) (?=(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '$1 is ',
  ],
]
