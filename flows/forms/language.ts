import { type Language, plain } from './form.ts'

const SPANISH =
  /[¿¡ñ]|\b(el|la|los|las|un|una|con|que|para|por|su|sus|del|y(?! ?\/)|formulario|encuesta|campos?|pide|pedir|nombre|correo|telefono|opcional|pregunta|si|agrega|anade|quita|elimina|cambia|haz)\b/gu
const ENGLISH =
  /\b(the|an|with|and|for|of|to|their|your|form|survey|fields?|ask|name|email|phone|optional|add|remove|change|make)\b/gu

/** What forms ask for in Spanish and not in English; Portuguese has some of these words, too. */
const SPANISH_THINGS =
  /\b(fechas?|hora|edad|fotos?|ciudad|empresa|direccion|descripcion|comentarios?|caracteres|digitos|minimo|maximo|reporte|solicitud|pedido|sabor|tienda|domicilio|tamano|horario|precio|cantidad|reserva|registro|datos|cliente|[a-z]{3,20}cion(?:es)?)\b/gu

/** The language of a text: Spanish or English. */
export function languageOf(text: string): Language {
  const words = text.toLowerCase().normalize('NFC')
  const bare = plain(text)
  const spanish = [SPANISH, SPANISH_THINGS].flatMap((some) => [...bare.matchAll(some)])
  const signs = [...words.matchAll(SPANISH)]
  const english = [...bare.matchAll(ENGLISH)].length
  return spanish.length + signs.length > 2 * english ? 'es' : 'en'
}

/**
 * Common words of prompts in Portuguese, French, German, Italian, Dutch, Indonesian, Turkish and Polish, without
 * accents, that English and Spanish do not have; and letters of other scripts.
 */
const FOREIGN =
  /(?<!\.)\b(nomes?|sobrenome|telefones?|pergunt(?:e|ar)|peca|colet(?:e|ar)|crie|criar|pesquisa|nao|voces?|qual|com|ou|os|uma?|enderecos?|cidade|senha|obrigatori[oa]s?|mensagem|avaliac(?:ao|oes)|satisfacao|escolha|servicos?|nascimento|tamanho|et|nom|prenom|avec|demande[rz]?|des|une|votre|vos|courriel|quel(?:le)?s?|pour|est|du|ville|facultatif|obligatoire|adresse|und|oder|bitte|mit|fur|der|das|eine?[nmrs]?|telefonnummer|vorname|nachname|fragen?|abfragen|umfrage|formular|strasse|stadt|geburtsdatum|wie|ist|ihre?|cognome|indirizzo|chied[ei]|chiedere|il|gli|dell[ao]|di|nascita|citta|facoltativ[oa]|obbligatori[oa]|modulo|sondaggio|naam|voornaam|achternaam|telefoonnummer|adres|vraag|het|een|verplicht|optioneel|formulier|nama|nomor|telepon|dan|atau|alamat|tanggal|tanyakan|formulir|dengan|yang|isim|telefon|soyad|tarih|icin|imie|nazwisko|telefonu|oraz|lub|numer|contato)\b|(?=\p{L})\P{Script=Latin}+/gu

/** What tells nothing of the language: words of several, and labels in quotes. */
const NEUTRAL =
  /"[^"]*"|“[^”]*”|«[^»]*»|\b(a|formulario|campos?|opcional|telefono|para|que|por|un|su)\b/g
/** Things that may be called so in any language. */
const COMMON = /\b(name|email|phone)\b/g
/** How many foreign words an English or Spanish one outweighs: "Fields: Vorname, Nachname". */
const WEIGHT = 3

/**
 * Whether a text is in another language: in it, these rules would find a part of what is asked for, such as the word
 * "email", and lose the rest.
 */
export function isForeign(text: string): boolean {
  const words = plain(text).replace(NEUTRAL, ' ')
  const common = [...words.matchAll(COMMON)].length
  const own = [...words.matchAll(SPANISH), ...words.matchAll(ENGLISH)].length - common
  return [...words.matchAll(FOREIGN)].length > Math.max(1, common + WEIGHT * own)
}
