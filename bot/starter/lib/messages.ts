// Messages in one line each, for `ctx.send`. Kept by the platform.
import type { BotContext, Button, Outgoing, Row } from './bot.ts'

/** A text; links in it are shown with a preview when `previewUrl` is true. */
export function text(content: string, { previewUrl = false } = {}): Outgoing {
  return { type: 'text', content, preview_url: previewUrl }
}

/**
 * One to three buttons under a text. Each title has at most 20 characters, and serves as the id unless one is
 * given.
 */
export function buttons(content: string, choices: (string | Button)[]): Outgoing {
  const all = choices.map((choice) =>
    typeof choice === 'string' ? { id: choice, title: choice } : choice,
  )
  return { type: 'buttons', content, buttons: all }
}

/** A menu of one to ten rows behind a button. */
export function list(content: string, buttonText: string, rows: Row[]): Outgoing {
  return { type: 'list', content, button_text: buttonText, sections: [{ rows }] }
}

/** A button that opens a web page. */
export function link(content: string, buttonText: string, url: string): Outgoing {
  return { type: 'cta_url', content, button_text: buttonText, url }
}

/** What the customer chose or wrote, trimmed and in lower case. */
export function choiceOf({ message }: Pick<BotContext, 'message'>): string {
  const id = message.payload?.['id']
  const chosen = typeof id === 'string' ? id : (message.content ?? '')
  return chosen.trim().toLowerCase()
}
