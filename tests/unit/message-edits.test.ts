import { describe, expect, it } from '@jest/globals'
import { advance, type Change, type Content } from '../../capabilities/callbacks/message-edits.ts'
import { LIMITS } from '../../core/limits.ts'
import { permutations, seededRandom } from '../support/random.ts'

const original: Content = { content: 'first', media: null, payload: { referral: { id: 1 } } }
const at = (second: number) => new Date(second * 1000).toISOString()
const edit = (second: number, wamid = `wamid.${second}`): Change => ({
  kind: 'edit',
  target: 'w',
  wamid,
  at: at(second),
  content: `No. ${second}`,
  media: null,
})
const revoke = (second: number): Change => ({ ...edit(second), kind: 'revoke', content: null })
const all = (changes: Change[], message = original) =>
  changes.reduce((before, change) => advance(before, change), message)

describe('the edits of a message', () => {
  it('leave the latest content and every former one, in whatever order and however often they come', () => {
    const edits = [edit(10), edit(20), edit(20, 'wamid.z'), edit(30)]
    const expected = all(edits)
    expect(expected).toEqual({
      content: 'No. 30',
      media: null,
      payload: {
        referral: { id: 1 },
        edits: [
          { wamid: 'wamid.10', at: at(10), content: 'first', media: null },
          { wamid: 'wamid.20', at: at(20), content: 'No. 10', media: null },
          { wamid: 'wamid.z', at: at(20), content: 'No. 20', media: null },
          { wamid: 'wamid.30', at: at(30), content: 'No. 20', media: null },
        ],
      },
    })
    for (const order of permutations(edits)) {
      expect(all([...order, ...seededRandom(1).shuffled(order)])).toEqual(expected)
    }
  })

  it('are kept up to a number, the latest ones', () => {
    const many = Array.from({ length: LIMITS.messageEdits + 5 }, (_, index) => edit(index + 1))
    const once = all(many)
    expect(once.content).toBe(`No. ${many.length}`)
    expect(once.payload?.edits).toHaveLength(LIMITS.messageEdits)
    expect(all(many, once)).toEqual(once)
  })

  it('keep the media unless they bring their own', () => {
    const media = {
      media_id: '1',
      slug: null,
      mime_type: 'image/png',
      filename: null,
      sha256: null,
    }
    const image = { content: 'cat', media, payload: null }
    const none = { ...media, media_id: null }
    expect(advance(image, { ...edit(1), media: none })).toMatchObject({ content: 'No. 1', media })
    const other = { ...media, media_id: '2' }
    expect(advance(image, { ...edit(1), media: other })).toMatchObject({
      media: other,
      payload: { edits: [{ content: 'cat', media }] },
    })
  })
})

describe('a revocation', () => {
  it('takes all that was said away, whenever it comes, and nothing brings it back', () => {
    const changes = [edit(10), revoke(20), edit(30), revoke(40)]
    for (const order of permutations(changes)) {
      expect(all(order)).toEqual({ content: null, media: null, payload: { revoked_at: at(20) } })
    }
  })
})
