import { describe, expect, it } from '@jest/globals'
import {
  components,
  declaredEvents,
  declaredOperations,
  followed,
  type Schema,
  walk,
} from '../support/document.ts'

/** Every choice between objects that have a constant in common, such as `type`. */
const kindsOfObjects = Object.entries(components.schemas).filter(([, { oneOf = [] }]) => {
  const [first, ...others] = oneOf.map((kind) => constantsOf(followed(kind).schema))
  return first?.some((name) => others.every((names) => names.includes(name)))
})

function constantsOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { const: value, enum: values = [] }]) =>
    value !== undefined || values.length === 1 ? [name] : [],
  )
}

/** What common generators of clients cannot cope with; `npm run sdks` tries them. */
describe('a client that is generated from the contract', () => {
  it('does not mix up a parameter with a schema of the same name', () => {
    const schemas = Object.keys(components.schemas)
    expect(Object.keys(components.parameters).filter((name) => schemas.includes(name))).toEqual([])
  })

  it('is given constants without the type that they show already', () => {
    const found = new Set<string>()
    const note = ({ properties = {} }: Schema, place: string) => {
      for (const [name, { type, const: value }] of Object.entries(properties)) {
        if (type === 'null' || (type === 'boolean' && value !== undefined)) {
          found.add(`${place}.${name}`)
        }
      }
    }
    for (const [name, schema] of Object.entries(components.schemas)) walk(schema, note, name)
    expect([...found]).toEqual([])
  })

  it('is given values of several types as a union, unless they may be null too', () => {
    const found: string[] = []
    const note = ({ type }: Schema, place: string) => {
      if (Array.isArray(type) && type.length > 1 && !type.includes('null')) found.push(place)
    }
    for (const [name, schema] of Object.entries(components.schemas)) walk(schema, note, name)
    expect(found).toEqual([])
  })

  it('is given a choice as one of its kinds: of any of them, clients make a mixture that loses values', () => {
    const found: string[] = []
    const note = ({ anyOf = [] }: Schema, place: string) => {
      if (anyOf.length > 0 && !anyOf.some(({ type }) => type === 'null')) found.push(place)
    }
    for (const [name, schema] of Object.entries(components.schemas)) walk(schema, note, name)
    expect(found).toEqual([])
  })

  it.each(kindsOfObjects)('is told by which values of which member %s differ', (_name, schema) => {
    const { oneOf = [], discriminator } = schema
    expect(discriminator).toBeDefined()
    const { propertyName = '', mapping = {} } = discriminator ?? {}
    const kinds = oneOf.flatMap(({ $ref = '' }) => {
      const { required = [], properties = {} } = followed({ $ref }).schema
      expect(required).toContain(propertyName)
      const { const: value, enum: values = [value] } = properties[propertyName] ?? {}
      return values.map((one) => [one, $ref])
    })
    expect(kinds).toEqual(Object.entries(mapping))
  })

  it('does not call a kind what a client calls the making of another', () => {
    const schemas = Object.keys(components.schemas)
    expect(schemas.filter((name) => schemas.includes(`New${name}`))).toEqual([])
  })

  it('keeps the operations of a tag apart from the events', () => {
    const called = new Set(declaredOperations.flatMap(({ tags = [] }) => tags))
    const told = Object.values(declaredEvents).flatMap(({ tags = [] }) => tags)
    expect(told.filter((tag) => called.has(tag))).toEqual([])
  })
})
