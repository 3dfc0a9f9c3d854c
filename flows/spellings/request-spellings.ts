/** Ways to write what is asked for, and of whom, each with the one that is read. */
export const REQUEST_SPELLINGS: readonly [RegExp, string][] = [
  // "With name and email, in that order"
  [
    /,? \(?(?:exactly )?(?:in (?:exactly )?(?:this|that|the (?:following|same|given)) order|en (?:este|ese) (?:mismo )?orden)\)?(?: please)?,?(?=[:,.;\n]|$)/gimu,
    '',
  ],
  // "A form where customers can change their delivery address"
  [
    /(?<=^|[.!?\n] ?)[^.!?:,;()\n]{0,80}\b(?:to|can|could|may|people|users|customers|clients|members|guests|them) (?:change|update|edit|correct|modify) (?:their|your|his|her) (?=(?:\p{L}{1,20} ){0,2}(?:address|e-?mail|phone|number|names?|password|pin|birthday|card|preferences|size)\b[^.;:()\n]*(?:[.\n]|$))/giu,
    'Fields: ',
  ],
  // "Collect a testimonial with name, role and company"
  [
    /\b(collect|gather|get|ask for|request) (?:an? |the )?(\p{L}{3,20}) with (?:their |the |your )?(?=(?:full )?(?:names?|e-?mail|phone)\b[^.;:\n]*(?:,| and ))/giu,
    '$1 $2, ',
  ],
  // "A signature along with name and date"
  [
    /(?<=\p{L}),? (?:along|together) with (?=(?:the |their |your |an? )?(?:names?|e-?mail|phone|date|address|photos?|comments?|signature)\b)/giu,
    ', ',
  ],
  // "Type the full name to sign"
  [
    /\b(?:type|write|enter) (?:the |their |your )?((?:full |legal )?name) (?:to sign|as (?:an? |the |their )?signature)(?=[,.;\n]|$)/gimu,
    '$1 (signature)',
  ],
  // "Could you set up something so people can request a quote?"
  [
    /(?<=^|[.!?\n] ?)[^.!?:\n]{0,60}\b(?:set up|build|make|create|prepare|need|want) (?:something|anything|a way|a tool)(?: (?:so|for|to|that|where|which)\b[^.?!:,\n]*)?[?.!](?= |$)/giu,
    '',
  ],
  [/\b(with|asking|and) questions (?:on|about|regarding) (?=[^.:;\n]*(?:,| and ))/giu, '$1 '],
  // "First question is a rating 1-5."
  [
    /(?<=^|[.;\n]\s{0,2})(?:the |la )?(?:first|second|third|fourth|fifth|next|last|final|primera|segunda|tercera|cuarta|última) (?:question|field|input|pregunta) (?:is|should be|will be|must be|asks?(?: for| about)?|es|debe ser|pide|pregunta)(?: an?| una?| the)? /giu,
    'Fields: ',
  ],
  // "Choose what they like best out of: design, speed, and write why"
  [
    /\b(?:choose|pick|select|say) ((?:what|which) [^:,.;?()\n]{2,60}?)(?: (?:out of|from|of|among))?(?: (?:the following|these))?: ([^:.;()\n]*?,[^:.;()\n]*?)(?=,? and (?:then )?(?:write|tell|leave|explain|describe|give|add|say|enter)\b|[.;\n]|$)/giu,
    '$1 ($2)',
  ],
  // "Confirm cancellation checkbox"
  [
    /(?<=^|[,;:\n] ?)(?:and )?(?:an? )?confirm (\p{L}{3,20}(?: \p{L}{3,20})?) (?:check|tick) ?box(?=[,;.\n]|$)/gimu,
    'I confirm the $1 (checkbox)',
  ],
  // "Allow attaching a screenshot", on a line of its own or not
  [
    /(?<=(?:^|\n)[ \t]*[-*•–] )(?:also )?(?:allow|let) (?:(?:the |our )?(?:them|users?|customers?|people|guests?) )?(?:to )?(?:attach(?:ing)?|upload(?:ing)?|add(?:ing)?|enter(?:ing)?|leav(?:e|ing)|writ(?:e|ing)|includ(?:e|ing)|shar(?:e|ing)) (?:an? |the |any )?([^.,;:()\n]{2,60})(?=[.\n]|$)/giu,
    '$1 (optional)',
  ],
  [
    /(?<=^|[.;\n]\s{0,2})(?:also )?allow (?:(?:the |our )?(?:them|users?|customers?|people|guests?) )?(?:(?:to )?(?:attach(?:ing)?|upload(?:ing)?|add(?:ing)?|enter(?:ing)?|leav(?:e|ing)|writ(?:e|ing)|includ(?:e|ing)|shar(?:e|ing)) |for (?=an? ))?((?:an? |the |any )[^.,;:()\n]{2,60})(?=[.;\n]|$)/giu,
    'Fields: $1 (optional)',
  ],
  // "A yes/no question on whether they would come again"
  [
    /\b(?:an? )?yes ?(?:\/|or|-) ?no question (?:on |about |asking |as to )?(?=(?:whether|if)\b)/giu,
    '',
  ],
  // "One of three tiers (Free, Pro)"
  [
    /\bone of (?:the |our )?(?:two|three|four|five|six|\d{1,2}) ((?:\p{L}{2,20} ){0,2}\p{L}{2,20}?)(?<!ie)s (?=\()/giu,
    'a $1 ',
  ],
  // "Do you have a receipt? Upload it"
  [
    /(?<=\b(?:an?|the|your|any) )(\p{L}{2,20})\?,? (?:please )?(upload|attach) it\b/giu,
    '$1? $2 the $1',
  ],
  // "Say that we are sorry, and ask what went wrong: delay, damage"
  [/,? (?:and|then) ask (?:them )?(?=(?:what|which|how|why|where)\b[^.?!\n]*:)/giu, '.\nAsk '],
  // "I need to know from my members why they leave"
  [
    /\b(know|hear|learn|find out) from (?:my|our|the|all) (?:[\p{L}-]{1,20} ){1,3}?(?=(?:why|what|how|when|where|whether|if|which)\b)/giu,
    '$1 ',
  ],
  // "A survey for teens, ages 13-19: screen time, sleep"
  [
    /^([^:,.?\n]{0,60}\b(?:form|flow|survey|poll|quiz|questionnaire|formulario|encuesta|cuestionario)(?: (?:for|about|of|para|de|sobre) [^:,.?\n]{1,40})?), (?:(?:ages?|aged|edades|de) [^:,.?\n]{1,20}|(?:in |with |con )?\d{1,2} (?:questions|preguntas)): (?=[^\n]*,)/giu,
    '$1: ',
  ],
  // "The shipping address as street, city and zip"
  [
    /\b(?:(?:an?|the|their|su|la|el|una) )?(?:\p{L}{1,20} )?(?:address|dirección),? (?:as|split into|divided into|broken (?:down )?into|consisting of|made up of|dividida en) (?=[^.\n]*(?:,| and | y ))/giu,
    '',
  ],
  // "A form where the customer describes the problem": the verb asks for what follows it.
  [
    /\bwhere (?:(?:the |our )?(?:customers?|users?|clients?|guests?|people|patients?)|they) (?:(?:can|should|must|will|may|could) )?(?=(?:describe|rate|report|choose|select|pick|enter|upload|give|provide|tell|leave|share|write|say|specify|indicate)s?\b)/giu,
    'asking to ',
  ],
  [/\b(describe|explain)s (?=the|their|what|why|how|an?)/giu, '$1 '],
  // "Selects the problem from damaged, missing, late, and explains it"
  [
    /\b(chooses?|selects?|picks?) (?:an? |the |one |their |your )?((?:\p{L}{1,30} ){0,3}\p{L}{1,30}) from ((?:(?!(?:explain|describe|leave|give|upload|enter|provide|write|add|tell|accept)s?\b)[^,;.:()\n]{1,40}, ){1,20}?(?:(?:and|or) )?[^,;.:()\n]{1,40}?),? (?=(?:(?:and|then) )?(?:explain|describe|leave|give|upload|enter|provide|write|add|tell|accept)s?\b)/giu,
    '$1 $2 ($3), ',
  ],
  // "Collect feedback after delivery with a rating and a comment"
  [
    /\b(collect|gather) (?:(?:customer|guest|client) )?(?:feedback|reviews?|opinions?|bookings?|leads?|orders?|registrations?)(?: [^,.:;()\n]{1,60})? with (?=[^.\n]*(?:,| and ))/giu,
    '$1: ',
  ],
  // "Customers should be able to book a slot: choose a day, enter the name"
  [
    /\b(?:the )?(?:customers?|users?|people|clients?|guests?|they|patients?|members?|students?) (?:should|must|can|need to|will)(?: be able to)? (?:book|order|request|report|register|apply|submit|schedule|reserve|buy|rent|return|cancel|reschedule) [^:,.;?()\n]{1,40}: (?=[^:.\n]*,)/giu,
    'Fields: ',
  ],
  // "Let people suggest a song: title, artist"
  [
    /\b(?:let|allow)s? (?:people|them|customers?|users?|clients?|guests?|fans|members|staff) (?:to )?(?:suggest|request|report|nominate|share|submit|propose|recommend) (?:an? |the |their )?[^:,.;?()\n]{1,40}: (?=[^:.\n]*,)/giu,
    'Fields: ',
  ],
  // "Also add a comment field."
  [
    /(?<=^|[.;!\n]\s{0,3})(?:(?:and|then|also|please|finally|at the end,?|y|luego|por favor,?|al final,?) )*(?:add|agrega|agregar|añade|añadir)(?: also| también)? (?!.{0,20}\b(?:options?|choices?|opciones|opción)\b)(?:an? |the |una? |el |la )?(?:(?:question|field|pregunta|campo)s?(?: for| about| de| sobre|:) )?([^.;:!\n]{1,200}?)(?: too| as well| también)?(?: at the end| al final)?(?=[.;!\n]|$)/giu,
    '\nFields: $1',
  ],
  // "They can also attach a photo."
  [
    /(?<=^|[.;\n]\s{0,2})(?:(?:they|customers|users|guests|clients) (?:can|may|could|should) (?:also (?:be able to )?|optionally |be able to )|(?<!^\s{0,2})(?:(?:finally|lastly|also|then|and),? ){0,2}(?:let|allow) (?:them|customers|users|guests|clients|people) (?:to )?(?:also |optionally )?|optionally,? )(?:attach|upload|add|share|leave|provide|give|enter|mention|specify|tell us about|let us know about) ([^.;:()\n]{1,100})(?=[.;\n]|$)/giu,
    'Fields: $1 (optional)',
  ],
  [
    /\bdate ?picker for (?:the |their |an? )?((?:(?!(?:and|or|y|o)\b)\p{L}{1,30} ){0,2}(?!(?:and|or|y|o)\b)\p{L}{1,30})/giu,
    '$1 (date)',
  ],
  // "Service types are installation, repair and maintenance."
  [
    /(?<=^|[.;\n]\s{0,2})(?:(?:the|los|las) )?((?:\p{L}{1,30} ){0,2}\p{L}{1,30}s) (?:are|can be|son|pueden ser):? (?!(?:all|not|no|optional|required|mandatory|opcional|obligatori|requerid)|[^.;\n]{0,60}\b(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)((?:[^,;.:()?\n]{1,40}, ){1,20}(?:(?:and|or|y|o) )?[^,;.:()?\n]{1,40}?,?(?: (?:and|or|y|o) [^,;.:()?\n]{1,40})?)(?=[.;\n]|$)/giu,
    '$1: $2',
  ],
  // The choices of a question, behind its question mark.
  [
    /(?<=\?["”]?),? (?:with|and|con|y) (?:the |las )?(?:following )?(?:options|choices|answers|opciones|respuestas):? ([^.;:()\n]+)(?=[.;\n]|$)/giu,
    ' ($1)',
  ],
  [
    /(?<=\p{L}) (?:with|con) (?:the |las )?(?:following )?(?:options|choices|opciones)(?=:| ?\()/giu,
    '',
  ],
  // "Make the notes optional" says it of something that is named elsewhere.
  [
    /[.,;!]?[ \n]{0,3}(?:\b(?:and|but|y|pero) )?\b(?:please )?(?:make|mark|set|haz|marca) (?!(?:an?|me|us|my|sure|it|una?)\b)(?:the |el |la )?((?:(?!(?:form|flow|survey|with|formulario|encuesta|con)\b)[^\s.,;:()]{1,30} ){1,6}?)(?:as )?(optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?)(?=[.,;!\n]|$)/giu,
    '\n$1is $2',
  ],
  // "Do you have any of these: fever, cough? (yes/no)"
  [
    /(?<=^|[.;:\n] ?)((?:do|did|have|are|were)\b[^.:?\n]{0,60}\bof (?:the following|these)\b[^.:?"\n]{0,30}): ([^:?"\n]{1,200}\?) ?\(?(yes) ?(?:\/|or) ?(no)\)?/gimu,
    '"$1 – $2" ($3/$4)',
  ],
  [
    /\b((?:do|did|have|are|were|which|what)\b[^.:?\n]{0,60}\bof (?:the following|these)\b[^.:?\n]{0,30}): ([^:?\n]{1,300})\?(?!["”])/giu,
    '$1? (multiple choice: $2)',
  ],
  [/(?<=^|[,;] )((?:\p{L}{1,30} ){1,3})or not(?=[,.;]|$)/gimu, '$1(yes/no)'],
  [
    /\b(?:make|have|get|let) (?:the |our )?(?:customers?|users?|clients?|guests?|people|them) (?:to )?(?=(?:accept|agree|confirm)\b)/giu,
    'ask them to ',
  ],
  // The choices end where something else is asked for: "country: Spain, France; and a comment".
  [/(:[^:;,.?!\n]*,[^:;.?!\n]*); (?:and|y) /giu, '$1\nFields: '],
  // "Choose a department from Sales, Support or IT"
  [
    /\b(chooses?|selects?|picks?|elegir|elija|elige|selecciona(?:r)?) (?:an? |the |one |their |your |una? |el |la )?((?:\p{L}{1,30} ){0,2}\p{L}{1,30}) (?:from|out of|among|de entre|entre) (?!(?:the|our|an?|el|la|una?)\b)((?:[^,;.:()\n]{1,40}, ){1,20}[^,;.:()\n]{1,40},? (?:or|and|o|y) [^,;.:()\n]{1,40}?|[^,;.:()\n]{1,40} (?:or|o) [^,;.:()\n]{1,40}?)(?=[,;.\n]|$| (?:and|then|y|luego) )/giu,
    '$1 $2 ($3)',
  ],
  [
    /\b(?:if|whether|si) (?:(?:they|you|customers) have|tienen?) (?=(?:any|alg[uú]n[oa]?s?) (?:\p{L}{1,30} )?(?:comments?|suggestions?|feedback|requests?|notes?|remarks|questions|comentarios?|sugerencias?|preguntas?|notas?)(?!\p{L}))/giu,
    '',
  ],
  [
    /\bif (\p{L}{2,20}),? then (?:ask (?:for )?)?(?:the |their |an? )?((?:\p{L}{1,20} ){0,2}\p{L}{1,20})(?=[,.;]|$)/gimu,
    '$2 if $1',
  ],
  [
    /\b(?:an? )?(?:(?:big |large |long )text ?(?:box|area)|text ?area) (?:for|to enter) (?:the |their |an? )?((?:(?!and|or)\p{L}{1,20} ){0,2}(?!and|or)\p{L}{1,20})/giu,
    '$1 (long text)',
  ],
  [
    /\b(?:an? )?(?:small |short )?text ?(?:box|field|input) (?:for|to enter) (?=(?:the |their |an? )?\p{L})/giu,
    '',
  ],
  [/\b(asks?|asking|know|tell us|say) if\b(?! you\b)/gi, '$1 whether'],
  [
    /\bhow (?:satisfied|happy) (?:they|you|(?:the )?(?:customers|guests|people|users|clients)) (?:are|were) with (?=[^.;?\n]{0,200}(?:, | and )[^.;?\n]{0,200}\d)/giu,
    'rate ',
  ],
  [/\b(?:how|cómo) (?:they|customers|guests|people|users|clients)(?: would)? rate\b/gi, 'rate'],
  // Choices behind a bracket that says that several may be chosen, or behind a dash: "size - S, M, L".
  [
    /\([^()\n]*\b(?:several|multiple|more than one|all that apply|(?:up to|at most|hasta) \d{1,2}|as many|varias|varios)\b[^()\n]*\):\s*([^:;.?!()\n]+)/giu,
    '(multiple choice: $1)',
  ],
  [
    /(?<=\p{L}) [-–—] ((?:[A-Z\d]{1,3}, )+(?:(?:or|and|o|y) )?[A-Z\d]{1,3})(?![\p{L}\d])/gu,
    ' ($1)',
  ],
  [
    /(?<=[\p{L}\d]) [-–—] ((?:[^-–—,:;.?!()\n]{1,40}, ){0,20}[^-–—,:;.?!()\n]{1,40},? (?:or|o) [^-–—,:;.?!()\n]{1,40})(?=[.?!;]|$)/gmu,
    ' ($1)',
  ],
  // "I want customers to choose a size", "details like name and email": what is asked for alone.
  [
    /\b(?:i|we|and)(?: want| need| would like|['’]d like) (?:(?:my|our|the) )?(?:customers?|users?|clients?|guests?|people|patients?|students?|parents?|members?|them) to (?:be able to )?(?=(?:order|book|buy|purchase|register|apply|sign up|reserve|schedule|rent|hire|join|enrol|enroll|subscribe)\b)/gi,
    'a form for customers to ',
  ],
  [
    /\b(?:i|we|and)(?: want| need| would like|['’]d like) (?:(?:my|our|the) )?(?:customers?|users?|clients?|guests?|people|patients?|students?|parents?|members?|them) to(?: be able to)?\b/gi,
    '',
  ],
  [
    /\b(?:(?:the|their|some|basic|personal|contact|customers?['’]?s?|users?['’]?s?|clients?['’]?s?|guests?['’]?s?|los|sus|personales|básic[oa]s) ){0,3}(?:data|details|info|information|datos|información)(?: (?:del?|de los?|personales|básic[oa]s|cliente|usuario)){0,3},? (?:such as|like|including|como|incluyendo|tales como):? /gi,
    '',
  ],
  [
    /\b(?:quiero|queremos|necesito|necesitamos) que (?:el|la|los|las|mis|nuestros|cada) (?:clientes?|usuari[oa]s?|pacientes?|alumn[oa]s?|invitad[oa]s?|huésped(?:es)?|personas?) (?:puedan? )?(?=(?:dej|elij|acept|escrib|indi[qc]|ingres|proporcion|sub|seleccion|escoj|d[eé]|llen|complet|respond|cuent)\p{L}*\b)/giu,
    '',
  ],
  [/\b(?:quiero|queremos) que (?:me |nos |les? )?pid(?:as?|an)\b/gi, 'pide'],
  // "Donde el cliente elige el servicio de Corte, Color o Peinado, escribe su nombre"
  [
    /\b(?:en (?:el|la) que|donde) (?:el|la|los|las|cada) (?:clientes?|usuari[oa]s?|pacientes?|personas?|alumn[oa]s?|invitad[oa]s?|huésped(?:es)?) (?:puedan? )?(?=(?:elij?g?|escrib|sub|dej|indi[cq]|califi[cq]|seleccion|escog|ingres|proporcion|cuent|adjunt|acept)\p{L}*)/giu,
    'que pida: ',
  ],
  [
    /\b(?:elige|elegir|elija|selecciona|seleccionar|escoge|escoger) (?:el |la |un |una |su )?(\p{L}{2,20}(?: de \p{L}{2,20})?) (?:de|entre) ((?:[^,;.:()\n]{1,40}, ){1,20}[^,;.:()\n]{1,40} o [^,;.:()\n]{1,40}?)(?=[,.;\n]|$| y )/giu,
    '$1 ($2)',
  ],
  // "And optional contact details (name, email)"
  [
    /(?:[,;]| [-–—])? ?\b(?:(?:and|plus|also|with) )?(?:an? )?optional(?:ly)?,? (?:(?:the|their) )?(?:\p{L}{1,20} ){0,2}(?:data|details|info|information) \((?!(?:text|text ?area|string|optional|required|long|short|multi|max|paragraph|free|opcional|texto)\b)([^()\n]*)\)(?=[.;\n]|$)/gimu,
    '.\nOptional: $1',
  ],
  [
    /(?:[,;]| [-–—])? ?\b(?:(?:and|plus|also|with) )?(?:an? )?optional(?:ly)?,? (?:(?:the|their) )?(?:\p{L}{1,20} ){0,2}(?:data|details|info|information) \((?!(?:text|text ?area|string|optional|required|long|short|multi|max|paragraph|free|opcional|texto)\b)([^()\n]*)\),? (?:and |plus )?/giu,
    '.\nOptional: $1\nFields: ',
  ],
  // A bracket that says which data are meant, and not what one may choose between.
  [
    /(?<![\p{L}'’])(?:(?!(?:form|flow|survey|formulario|flujo|encuesta|with|and|for|con|y|para)\b)[\p{L}'’]{1,30} ){0,3}(?:data|details|info|information|datos|información)(?: (?:of|about|del?|sobre)(?: [\p{L}'’]{1,30}){1,3})?(?: (?:personales|generales|needed|required))? ?\((?!(?:text|text ?area|string|optional|required|long|short|multi|max|paragraph|free|opcional|texto)\b)(?![^()\n]* (?:or|o) )([^()\n]*(?:, | and | y )[^()\n]*)\)/giu,
    '$1',
  ],
]
