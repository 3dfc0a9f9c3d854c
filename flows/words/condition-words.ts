export const PEOPLE = 'they|you|we|i|it|he|she|customers?|users?|clients?|guests?|people'
const VERB =
  'ask|collect|request|get|include|show|display|add|need|require|enter|provide|give|specify|tell|upload'
const IF =
  '(?:only |just |s[oó]lo )?(?:if|when(?! (?:do|does|did|is|are|was|were|will|would|can|should|could)\\b)|whenever|in case(?: of| that)?|(?<unless>unless|a menos que)|si|cuando|en caso de(?: que)?|(?:only|s[oó]lo) (?:for|para))'
/** Says of something itself, or of those who want it, whether it is to be answered: no condition of anything else. */
const OPEN =
  '(?:any|possible|applicable|available|needed|necessary|relevant|known|different|(?:you|they|customers) (?:want|like|wish|prefer)(?= to\\b|[,.;)]|$)|(?:lo )?desean?\\b(?! \\p{L})|es posible|procede|aplica|(?:los? |las? )?(?:tienen?|hay|existen?)(?=[,.;)]|$))'
/** "When a customer contacts us": nobody else does. */
const ALWAYS =
  '(?:an? |the |our |un |el )?(?:new )?(?:customers?|users?|clients?|guests?|people|someone|somebody|patients?|clientes?|pacientes?|alguien) (?:contacts?|calls?|writes?|messages?|books?|orders?|arrives?|signs? up|registers?|checks? in|checks? out|reach(?:es)? out|gets? in touch|asks?|enters?|visits?|comes?|joins?|escribe|llama|reserva|contacta|llega|pide)\\b'
const CONDITION = `(?!${OPEN}|${ALWAYS}|(?:${PEOPLE}),? (?:${VERB})\\b)[^,;:.?!()"“”\\n]{1,60}?`
const ASKS = `(?:(?:then|also|please|we|i|they|you|will|must|should|need to|have to|can|entonces|tambi[eé]n) ){0,4}(?:ask(?: (?:them|him|her|(?:the )?(?:customers?|users?|clients?|guests?|people)))?(?: also)?(?: (?:for|about|to (?:enter|give|provide|tell us|upload|choose|specify|leave|say)))?|tell us|(?:${VERB})(?: us)?|pid[ae]n?|pedir|pregunt[ae]r?(?: por(?! qu))?|solicit[ae]r?|mostrar|muestra|ingresar)(?: also| tambi[eé]n)?`
export const SO = 'yes|so|not?|s[ií]|es as[ií]|tienen?'
export const QUESTION =
  'what|which|how|when|where|why|who|qu[eé]|cu[aá]l|cu[aá]nt|c[oó]mo|cu[aá]ndo|d[oó]nde|por qu[eé]'
/** What is asked for behind "if so", which no comma needs to tell from that. */
const FURTHER = `(?:${QUESTION}|(?:the|their|an?|your|el|la|su) |please|describe|explain|list|leave|give|enter|provide|share|write|include|number|rate|describ|explic|indi[cq])`
const START =
  '(?<=(?:^|[.?!;\\n])\\s{0,3}(?:(?<=(?:^|\\n)\\s{0,3})[-*•–] |\\b[QP]\\d{1,2}[:.)] )?|[.?)"] )(?:(?<=[.?!;\\n]\\s{0,3})(?:and|but|then|y|pero) )?'
const END = '(?=[.;\\n]|$)'

/** "If they are a company, also ask for its name and the tax id." */
export const SENTENCE = new RegExp(
  `${START}(?:${IF}|(?<of>for|para)) (?<condition>${CONDITION})[,:]? ${ASKS}:? (?<things>[^.;\\n?]{1,200}?\\??)${END}`,
  'gimu',
)
/** "…, otherwise for the address", "Otherwise, ask for the address." */
export const OTHERWISE = new RegExp(
  `(?<=[\\p{L}\\d)'"?])[,.;](?: (?:and|y))? (?:otherwise|or else|else|de lo contrario|en caso contrario),? (?:${ASKS}:? )?(?:for )?(?<things>[^.;\\n?]{1,200}?\\??)${END}|(?<=, )(?<thing>[^,.;:?()\\n]{1,60}) otherwise${END}`,
  'gimu',
)
/** "Do you smoke? (yes/no): if yes, how many?" */
export const ARROW = /(?<=\)): (?=(?:if|si) )/giu
/** "For Spain ask the DNI, for Portugal the NIF" */
export const CHAIN =
  /(?<=(?:^|[.;\n])\s{0,3}for [^.;\n]{0,200}),? (?:and )?(?<lead>for) (?<condition>[^,;.\n]{1,30}?) (?=(?:the|an?|their) )/gimu
/** "Card: the last 4 digits. Transfer: IBAN", behind "card / transfer"; "Yes: since when?", behind a question */
export const HEADED =
  /(?<=(?:^|[.;\n])\s{0,3}|[?)] )(?:(?<of>for|para) )?(?<choice>[\p{L}\d][\p{L}\d'’-]{0,30}(?: [\p{L}\d'’-]{1,30}){0,2})(?::| ->| →) (?<things>[^.;:\n?]{1,200}\??)/gimu
/** "Businesses give the company name", behind "an individual or a business" */
export const SUBJECT =
  /(?<=(?:^|[.;\n])\s{0,3})(?:only |s[oó]lo )?(?:the |los |las )?(?<choice>[\p{L}\d][\p{L}\d'’-]{0,30}(?: [\p{L}\d'’-]{1,30}){0,2}?)(?: (?:members|customers|users|clients|guests|patients|clientes|usuarios|pacientes))? (?:(?:should|must|can|also|need to|have to|deben|también) ){0,3}(?:give|enter|provide|choose|fill in|upload|share|dan|indican|indicar|escriben|ingresan|ingresar) (?<things>[^.;:\n?]{1,200})/gimu
/** "En caso afirmativo" */
export const AFFIRMED = /\ben caso (?<no>negativo)?(?:afirmativo)?(?=[,:])/giu
/** "…, and in that case ask for the VAT number" */
export const IN_THAT_CASE =
  /\b(?:(?:in (?:that|such a|this) case|if that(?:['’]s| is) (?:so|the case)),?(?: (?:please |also |then )?ask(?: them)?(?: for)?)?|(?<es>en (?:ese|tal|este) caso),?(?: (?:pid[ae]n?|pedir|pregunt[ae]r?(?: por)?|solicit[ae]r?))?) /giu
/** "(price, quality, other - please specify)" */
export const OTHER =
  /(?<choices>\([^()\n]{0,300}?(?<![\p{L}])(?<other>others?|otr[oa]s?)) ?[-–—:,(]? ?(?:please |por favor,? )?(?:specify|describe|explain|(?<spanish>especifi(?:car|que)|indicar|indique))(?: (?:which|it|below|cu[aá]l))?\)?\)(?<end> (?=[\p{L}¿]))?/giu
/** "Scores under 7: ask why" */
export const SCORES =
  /(?<before>(?:^|[.;\n])\s{0,3})(?:scores?|ratings?|answers?|notas?|puntuaci[oó]n(?:es)?) (?:(?:of|from|between|de) )?(?=[^,;:.?!()\n]{0,20}\d[^,;:.?!()\n]{0,10}[:,] ?(?:ask|pregunt|pide))/gimu
/** "Whether they smoke (if yes: how many)" */
export const ASIDE =
  / ?\((?<so>if (?:yes|so)|si (?:es así|sí))[:,]? (?:ask (?:for )?|pedir )?(?<things>[^()?\n]{2,60})\)/giu
/** "Meat: beef, chicken" */
const CHOSEN = '[^,;:.\\n?()]{1,60}: (?=[^;.\\n?]*,)[^;.\\n?]{1,100}'
/** "If yes, which ones?", "If phone: the number" */
export const BRIEF = new RegExp(
  `${START}${IF} (?:(?<so>${SO})(?:[,:]|(?= ${FURTHER})|(?<=\\) (?:if|si) \\S+)(?= ))|(?<condition>${CONDITION})[,:]) ?(?<things>${CHOSEN}|[^.;:\\n?]{1,200}\\??)(?=[.;\\n]|$|(?<=\\?) )`,
  'gimu',
)
/** "…, and if it is below 7 ask why", "…; if so, the date" */
export const INNER = new RegExp(
  `(?:(?<=[\\p{L}\\d)'"?])[,;](?: (?:and|but|then|y|pero))?| (?:and|but|y|pero),?) ${IF} (?:(?<condition>${CONDITION}),? ${ASKS}:? |(?<so>${SO})(?:[,:]|(?= ${FURTHER})) |(?<brief>(?!${OPEN}|(?<=when )\\p{L}*(?:lost|found|made|bought|seen|sent|stolen|(?:happen|notic|start|purchas|report|deliver|discover|occurr)ed)[,:])[^\\s,;:.?!()"]{1,30}(?: [^\\s,;:.?!()"]{1,30}){0,5}?)(?:[,:]| then) )(?!(?:and|or|if|whether|y|o|si) )(?<things>${CHOSEN}|[^,;.\\n?]{1,100}\\??)`,
  'giu',
)
/** "The address is only needed for delivery.", "Show the address only when delivery is chosen." */
export const SAID = new RegExp(
  `(?<=(?:^|[.;\\n])\\s{0,3})(?:(?:the )?(?<one>[^,;:.?!()\\n]{1,60}?) (?:field |question )?(?:is|are|should be|must be|will be) (?:only )?(?:asked(?: for)?|shown|displayed|visible|needed|required|necessary|relevant|mandatory)|(?:only |just )?(?:show|display|ask(?: for| about)?|request|collect|require|include) (?:the )?(?<other>[^,;:.?!()\\n]{1,60}?)(?: field| question)?|(?<hide>hide) (?:the )?(?<hidden>[^,;:.?!()\\n]{1,60}?)(?: field| question)?)(?<!\\b(?:and|or|but))(?: only| just)? (?:if|(?<of>when|for)|in case of|(?<unless>unless)) (?<condition>(?![^.;\\n]{0,60} (?:and|y) )${CONDITION})${END}`,
  'gimu',
)
/** "(only if delivery)", "(for companies only)", "(required if they drive)" */
export const BRACKETED = new RegExp(
  `(?:\\(|[,;] (?=[^()\\n]{0,80}\\))(?=(?:only|just|required|needed|shown?|s[oó]lo) ))(?:(?:(?:only|just|required|needed|mandatory|show(?:n)?|visible|s[oó]lo|obligatori[oa]) )*(?:if|when|for|si|cuando|para) (?<condition>${CONDITION})|(?:for )?(?<alone>(?!${OPEN})[^,;:.?!()\\n]{1,40}?) only|(?:only|s[oó]lo) (?<only>(?!${OPEN})[^,;:.?!()\\n]{1,40}))\\)`,
  'giu',
)
/** Before an "if" that asks, "ask them if they smoke", or one that goes with another thing. */
const WHETHER =
  'ask|asks|asking|know|say|tell us|see|check|indicate|confirm|wonder|specify|pregunta|preguntar|saber|indica|indicar|diga'
const JOINED = 'whether|and|or|but|also|even|as|what|y|o'
/** "The number of guests if attending" */
export const BEHIND = new RegExp(
  `(?=(?:,| [-–—])? (?:but|only|just|s[oó]lo|if|when|in|si|cuando|en|that|which|required|mandatory|needed|necessary|shown|asked|visible|obligatori[oa]s?) )(?<=[\\p{L}\\d)'"])(?<!\\b(?:(?:${WHETHER})(?: (?!for\\b)[\\p{L}'’]{1,30}){0,2}|${JOINED}))(?<wish>(?: [-–—])? (?:required|mandatory|needed|necessary|obligatori[oa]s?|(?:(?:that|which) )?(?:(?:is|are) )?(?:shown|asked|visible|displayed)|(?:that|which) appears?))?(?:,? (?:but )?(?:only|just|s[oó]lo) (?:if|when|for|si|cuando|para)| (?:if|when|in case of|si|cuando|en caso de)) (?<condition>${CONDITION})(?=[,.;\\n]|$| \\([^()\\n]*,| (?:and|y) (?:the |an? |their )?\\p{L}{1,30}(?: \\p{L}{1,30}){0,2}(?:[,.;\\n]|$))`,
  'gimu',
)

/** The condition of those who do not meet the one before. */
export const OTHERWISE_SAID = 'otherwise'

/** Says of customers, or of what they tell of, something that they may be asked: "if they are a company". */
export const WHO =
  /^(?:if (?:they|it|(?:the )?(?:customer|user|client|guest)s?) (?:are|is|have|has|own|need)|si (?:es|son|tienen?|necesitan?)) (?!.*\b(?:not?|(?:un)?happy|(?:dis)?satisfied|angry|low|bad|below|above|under|over|less|more|(?:in)?satisfech[oa]s?|menos|menor|mayor)\b)\S/i
