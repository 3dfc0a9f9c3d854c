import { isRecord } from '../../core/json-values.ts'
import { linkAction, selectAction, unselectAction } from './actions.ts'
import { choices, dropdownChoices } from './choices.ts'
import type { Component } from './component.ts'
import { common, long, name } from './component.ts'
import type { Place, Raw } from './faults.ts'
import { report, within } from './faults.ts'
import type { Check, Shape } from './values.ts'
import {
  anything,
  checkBounds,
  day,
  flag,
  listOf,
  oneOf,
  optional,
  required,
  shaped,
  text,
  whole,
} from './values.ts'

const input = { ...common, name: required(name), required: optional(flag), enabled: optional(flag) }
const selects = {
  'on-select-action': optional(selectAction),
  'on-unselect-action': optional(unselectAction, 600),
}
const typed = {
  ...input,
  label: required(text(20)),
  'label-variant': optional(oneOf('large'), 700),
  'helper-text': optional(text(80)),
  'error-message': optional(text(30)),
  'init-value': optional(long, 400),
}
const group = {
  ...input,
  ...selects,
  label: required(text(30), 400),
  description: optional(text(300), 400),
  'error-message': optional(text(80)),
  'data-source': required(choices(1, 20)),
  'media-size': optional(oneOf('regular', 'large'), 500),
}
const several = {
  'min-selected-items': optional(whole(0, 20)),
  'max-selected-items': optional(whole(1, 20)),
  'init-value': optional(listOf(text(1_000), 0, 20), 400),
}
const boundedChoice = (component: Raw, place: Place) =>
  checkBounds(component, place, 'min-selected-items', 'max-selected-items')
const days = {
  'min-date': optional(day),
  'max-date': optional(day),
  'unavailable-dates': optional(listOf(day, 0, 1_000)),
}
const FILES_MAX = 30
const FILE_KILOBYTES_MAX = 25_600
const picker = {
  ...input,
  label: required(text(80)),
  description: optional(text(300)),
  'error-message': optional(anything),
  'max-file-size-kb': optional(whole(1, FILE_KILOBYTES_MAX)),
}
const files = (kind: string): Shape => ({
  [`min-uploaded-${kind}`]: optional(whole(0, FILES_MAX)),
  [`max-uploaded-${kind}`]: optional(whole(1, FILES_MAX)),
})
const boundedFiles = (kind: string) => (component: Raw, place: Place) =>
  checkBounds(component, place, `min-uploaded-${kind}`, `max-uploaded-${kind}`)

const INPUT_TYPES = ['text', 'number', 'email', 'password', 'passcode', 'phone']
const DEFAULT_CHARACTERS = 80

/** Customers learn of a pattern only through the helper text. */
function checkTextInput(component: Raw, place: Place): void {
  const { 'min-chars': least, 'max-chars': most = DEFAULT_CHARACTERS } = component
  checkBounds({ 'min-chars': least, 'max-chars': most }, place, 'min-chars', 'max-chars')
  if (component.pattern === undefined || component['helper-text'] !== undefined) return
  report(within(place, 'pattern'), 'INVALID_DEPENDENCIES', 'needs a helper-text')
}

/** In a range, each end has its own label. */
const calendarText = (charactersMax: number): Check => {
  const one = text(charactersMax)
  const both = shaped({ 'start-date': required(one), 'end-date': required(one) })
  return (value, place) => (isRecord(value) ? both : one)(value, place)
}

/** The components that customers fill in. */
export const INPUTS: readonly [string, Component][] = [
  [
    'TextInput',
    {
      gives: 'any',
      shape: {
        ...typed,
        'input-type': optional(oneOf(...INPUT_TYPES)),
        pattern: optional(long, 602),
        'min-chars': optional(whole(0, 4_096)),
        'max-chars': optional(whole(1, 4_096)),
      },
      also: checkTextInput,
    },
  ],
  ['TextArea', { gives: 'string', shape: { ...typed, 'max-length': optional(whole(1, 4_096)) } }],
  [
    'RadioButtonsGroup',
    { gives: 'string', shape: { ...group, 'init-value': optional(text(1_000), 400) } },
  ],
  ['CheckboxGroup', { gives: 'array', shape: { ...group, ...several }, also: boundedChoice }],
  [
    'ChipsSelector',
    {
      since: 603,
      gives: 'array',
      shape: {
        ...group,
        ...several,
        label: required(text(80)),
        'data-source': required(choices(2, 20)),
      },
      also: boundedChoice,
    },
  ],
  [
    'Dropdown',
    {
      gives: 'string',
      shape: {
        ...input,
        ...selects,
        label: required(text(20)),
        'error-message': optional(text(80)),
        'init-value': optional(text(1_000), 400),
        'data-source': required(dropdownChoices),
      },
    },
  ],
  [
    'OptIn',
    {
      gives: 'boolean',
      shape: {
        ...input,
        'on-select-action': optional(selectAction, 600),
        'on-unselect-action': optional(unselectAction, 600),
        label: required(text(120)),
        'init-value': optional(flag, 400),
        'on-click-action': optional(linkAction),
      },
    },
  ],
  [
    'DatePicker',
    {
      gives: 'string',
      shape: {
        ...input,
        ...days,
        label: required(text(40)),
        'helper-text': optional(text(80)),
        'error-message': optional(text(80)),
        'init-value': optional(day, 400),
        'on-select-action': optional(selectAction),
      },
    },
  ],
  [
    'CalendarPicker',
    {
      since: 601,
      gives: 'any',
      shape: {
        ...input,
        ...days,
        title: optional(text(80)),
        description: optional(text(300)),
        label: required(calendarText(40)),
        mode: optional(oneOf('single', 'range')),
        'helper-text': optional(calendarText(80)),
        'error-message': optional(anything),
        'init-value': optional(anything),
        'include-days': optional(listOf(text(10), 1, 7)),
        'min-days': optional(whole(1, 10_000)),
        'max-days': optional(whole(1, 10_000)),
        'on-select-action': optional(selectAction),
      },
      also: (component, place) => checkBounds(component, place, 'min-days', 'max-days'),
    },
  ],
  [
    'PhotoPicker',
    {
      since: 400,
      gives: 'array',
      shape: {
        ...picker,
        ...files('photos'),
        'photo-source': optional(oneOf('camera_gallery', 'camera', 'gallery')),
      },
      also: boundedFiles('photos'),
    },
  ],
  [
    'DocumentPicker',
    {
      since: 400,
      gives: 'array',
      shape: {
        ...picker,
        ...files('documents'),
        'allowed-mime-types': optional(listOf(text(200), 1, 50)),
      },
      also: boundedFiles('documents'),
    },
  ],
]
