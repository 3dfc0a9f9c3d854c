import { describe, expect, it } from '@jest/globals'
import { components, declaredOperations } from '../support/document.ts'

const ACTS = /approv|send|launch|start|release|retry|cancel|resume|wave/i

describe('the operations on broadcasts', () => {
  const found = declaredOperations.filter(({ path }) => path.startsWith('/v1/broadcasts'))

  it('assemble and read, and nothing more', () => {
    expect(found.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'get /v1/broadcasts',
      'get /v1/broadcasts/{id}',
      'get /v1/broadcasts/{id}/recipients',
      'post /v1/broadcasts',
    ])
    const named = found.filter(({ operationId, path }) => ACTS.test(`${operationId} ${path}`))
    expect(named).toEqual([])
  })

  it('are the only ones that the scope to manage them opens, beside those on segments', () => {
    const opened = declaredOperations.filter((operation) =>
      operation['x-required-scopes'].includes('broadcasts:manage'),
    )
    expect(opened.map(({ operationId }) => operationId).sort()).toEqual([
      'createBroadcast',
      'createSegment',
      'deleteSegment',
      'updateSegment',
    ])
  })

  it('take nothing that says how far a broadcast is', () => {
    const { properties, additionalProperties } = components.schemas.CreateBroadcastRequest ?? {}
    expect(additionalProperties).toBe(false)
    expect(Object.keys(properties ?? {}).sort()).toEqual([
      ...['audience', 'auto_retarget_quality', 'header', 'name', 'scheduled_at'],
      ...['template_language', 'template_name', 'template_variables', 'wave_size'],
    ])
  })
})
