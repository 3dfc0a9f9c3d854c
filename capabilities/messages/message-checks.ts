import { holdsInfinity } from '../../core/doubles.ts'
import { ServiceError, unfitBody } from '../../core/errors.ts'
import { MEDIA_KINDS, type MediaKind } from '../../filetypes/kinds.ts'
import type { Of, SendRequest } from './message-kinds.ts'

const ROWS_MAX = 10

/** Checks what the schema cannot express; each fault has its own code. */
export function checkKind(request: SendRequest): void {
  if (request.type === 'list') checkList(request)
  if (request.type === 'buttons') {
    const blank = request.buttons.findIndex(({ id }) => id !== id.trim())
    if (blank >= 0)
      throw unfitBody(`buttons.${blank}.id`, 'must neither begin nor end with a blank')
    mustDiffer(
      request.buttons.map(({ id }) => id),
      'buttons',
      'ids',
    )
    mustDiffer(
      request.buttons.map(({ title }) => title),
      'buttons',
      'titles',
    )
  }
  if (request.type === 'contacts') mustBeFinite(request.contacts, 'contacts')
  if (request.type === 'flow') mustBeFinite(request.flow_data, 'flow_data')
  if (isMedia(request)) mediaSource(request)
}

/** The schema leaves these members open, so numbers that JSON cannot hold are caught here. */
function mustBeFinite(value: unknown, path: string): void {
  if (holdsInfinity(value)) throw unfitBody(path, 'must hold no number beyond what a double does')
}

export type MediaSource = { id: string } | { slug: string } | { link: string }

/** The source of the medium of a message or a template's header; throws `missing_media` unless one is named. */
export function mediaSource(named: {
  media_id?: string | undefined
  media_slug?: string | undefined
  media_url?: string | undefined
}): MediaSource {
  const { media_id: id, media_slug: slug, media_url: link } = named
  const sources = [id, slug, link].filter((source) => source !== undefined)
  if (sources.length === 1) {
    if (id !== undefined) return { id }
    if (slug !== undefined) return { slug }
    if (link !== undefined) return { link }
  }
  throw new ServiceError(
    'missing_media',
    'Name the medium by exactly one of media_id, media_slug and media_url.',
  )
}

/** Whether a request carries a medium. */
export function isMedia(request: SendRequest): request is Of<MediaKind> {
  return Object.hasOwn(MEDIA_KINDS, request.type)
}

function checkList({ sections }: Of<'list'>): void {
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length > ROWS_MAX) {
    throw new ServiceError('too_many_buttons', `A list holds at most ${ROWS_MAX} rows in all.`, {
      details: { limit: ROWS_MAX, given: rows.length },
    })
  }
  mustDiffer(
    rows.map(({ id }) => id),
    'sections',
    'row ids',
  )
  if (sections.length > 1 && sections.some(({ title }) => title === undefined)) {
    throw unfitBody('sections', 'need a title each when there are several')
  }
}

function mustDiffer(values: string[], path: string, what: string): void {
  if (new Set(values).size < values.length) throw unfitBody(path, `must have different ${what}`)
}
