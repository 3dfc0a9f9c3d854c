import { isRecord } from '../core/json-values.ts'
import type { TemplateNews, TemplateTexts, TemplateUpdate } from '../core/template-update.ts'
import { readText } from './identifiers.ts'
import { cleanLine, cleanText, readLine } from './text.ts'

type Raw = Record<string, unknown>

const wordLengthMax = 100
const textLengthMax = 4_096
const buttonsMax = 20

/** The callback fields about templates, with their readers. */
const readers: Record<string, (value: Raw) => TemplateNews | null> = {
  message_template_status_update: readStatus,
  message_template_quality_update: readQuality,
  template_category_update: readCategory,
  message_template_components_update: readComponents,
}

/** Whether a callback field is about templates. */
export function isTemplateField(field: string): boolean {
  return Object.hasOwn(readers, field)
}

/** Reads a callback's news of a template; answers a sentence when it cannot be used. */
export function readTemplateUpdate(
  field: string,
  value: unknown,
  entry: { businessAccountId: string; at: Date | null },
): TemplateUpdate | string {
  if (!isRecord(value)) return `${field}: the value is not an object.`
  const name = readText(value.message_template_name)
  const language = readText(value.message_template_language)
  if (name === null || language === null) return `${field}: it names no template.`
  const news = readers[field]?.(value) ?? null
  if (news === null) return `${field}: it says nothing of ${cleanLine(name, wordLengthMax)}.`
  return {
    ...entry,
    id: readText(value.message_template_id),
    name,
    // The channel uses both separators.
    language: language.replaceAll('-', '_'),
    news,
  }
}

function readStatus({ event, reason, message_template_category: category }: Raw) {
  const word = wordOf(event)
  if (word === null) return null
  const because = wordOf(reason)
  return {
    kind: 'status' as const,
    event: word,
    reason: because === 'NONE' ? null : because,
    category: wordOf(category),
  }
}

function readQuality({ previous_quality_score: from, new_quality_score: to }: Raw) {
  const score = wordOf(to)
  return score === null ? null : { kind: 'quality' as const, from: wordOf(from), to: score }
}

/** `new_category` is the current category, also in the notice that it will change tomorrow. */
function readCategory({ new_category: category }: Raw) {
  const word = wordOf(category)
  return word === null ? null : { kind: 'category' as const, category: word }
}

function readComponents(value: Raw): TemplateNews | null {
  const body = textOf(value.message_template_element)
  if (body === null) return null
  const buttons = Array.isArray(value.message_template_buttons)
    ? value.message_template_buttons.slice(0, buttonsMax)
    : []
  return {
    kind: 'components',
    header: textOf(value.message_template_title),
    body,
    footer: textOf(value.message_template_footer),
    buttons: buttons.filter(isRecord).map(readButton),
  }
}

function readButton(button: Raw): TemplateTexts['buttons'][number] {
  return {
    type: wordOf(button.message_template_button_type) ?? '',
    text: textOf(button.message_template_button_text) ?? '',
    url: textOf(button.message_template_button_url),
    phoneNumber: textOf(button.message_template_button_phone_number),
  }
}

/** A word of the channel's in upper case; some arrive in lower case. */
function wordOf(value: unknown): string | null {
  return readLine(value, wordLengthMax)?.toUpperCase() ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value, textLengthMax) : null
}
