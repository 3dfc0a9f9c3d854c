import { describe, expect, it } from '@jest/globals'
import {
  components,
  declaredEvents,
  declaredOperations,
  type Schema,
  walk,
} from '../support/document.ts'

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

  it('keeps the operations of a tag apart from the events', () => {
    const called = new Set(declaredOperations.flatMap(({ tags = [] }) => tags))
    const told = Object.values(declaredEvents).flatMap(({ tags = [] }) => tags)
    expect(told.filter((tag) => called.has(tag))).toEqual([])
  })
})
