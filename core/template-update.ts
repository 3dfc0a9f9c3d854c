/** What one callback says of one template, in the channel's words. */
export type TemplateUpdate = {
  businessAccountId: string
  /** Null when the callback's number cannot hold it. */
  id: string | null
  name: string
  language: string
  /** When it was so; null when the callback does not say. */
  at: Date | null
  news: TemplateNews
}

export type TemplateNews =
  | { kind: 'status'; event: string; reason: string | null; category: string | null }
  | { kind: 'category'; category: string }
  | { kind: 'quality'; from: string | null; to: string }
  | ({ kind: 'components' } & TemplateTexts)

/** The texts of a template that was edited elsewhere. */
export type TemplateTexts = {
  header: string | null
  body: string
  footer: string | null
  buttons: { type: string; text: string; url: string | null; phoneNumber: string | null }[]
}
