import type { TemplateTexts } from '../../core/template-update.ts'

type Component = Record<string, unknown>

/**
 * The components with the texts that a template was edited to elsewhere, so that sends fill the placeholders
 * that the channel has now. Other edits come with the next listing. Answers the same list when nothing differs.
 */
export function withEditedTexts(components: Component[], texts: TemplateTexts): Component[] {
  const edited = components.map((component) => edit(component, texts))
  return edited.some((component, index) => component !== components[index]) ? edited : components
}

function edit(component: Component, texts: TemplateTexts): Component {
  switch (String(component.type).toUpperCase()) {
    case 'HEADER': {
      const isText = String(component.format).toUpperCase() === 'TEXT'
      return isText && texts.header !== null ? withText(component, texts.header) : component
    }
    case 'BODY':
      return withText(component, texts.body)
    case 'FOOTER':
      return texts.footer === null ? component : withText(component, texts.footer)
    case 'BUTTONS':
      return withButtons(component, texts.buttons)
    default:
      return component
  }
}

function withText(component: Component, text: string): Component {
  return component.text === text ? component : { ...component, text }
}

/** Only when buttons of the same types are in the same places. */
function withButtons(component: Component, given: TemplateTexts['buttons']): Component {
  const buttons = Array.isArray(component.buttons) ? (component.buttons as Component[]) : []
  const isSameRow =
    buttons.length === given.length &&
    buttons.every(({ type }, index) => String(type).toUpperCase() === given[index]?.type)
  if (!isSameRow) return component
  const edited = buttons.map((button, index) => {
    const { text, url, phoneNumber } = given[index] ?? { text: '', url: null, phoneNumber: null }
    return {
      ...button,
      text,
      ...(url === null ? {} : { url }),
      ...(phoneNumber === null ? {} : { phone_number: phoneNumber }),
    }
  })
  const isSame = JSON.stringify(edited) === JSON.stringify(buttons)
  return isSame ? component : { ...component, buttons: edited }
}
