import { defineScript } from 'redis'
import { type UploadLimits, WINDOW_S } from './minute.ts'

// Each is one round trip, and touches only the key that it names, as a cluster demands. The minute is Redis's own,
// so that processes with different clocks agree; what is counted is kept with the minute's number and always
// expires, so that no crash can lock a credential out for ever.
const MINUTE = `
  local seconds = tonumber(redis.call('TIME')[1])
  local minute = math.floor(seconds / ${WINDOW_S})
  local resetS = ${WINDOW_S} - seconds % ${WINDOW_S}`
const KEPT_S = WINDOW_S * 2

const countRequests = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${MINUTE}
    if tonumber(redis.call('HGET', KEYS[1], 'minute')) == minute then
      return { redis.call('HINCRBY', KEYS[1], 'used', ARGV[1]), resetS }
    end
    redis.call('HSET', KEYS[1], 'minute', minute, 'used', ARGV[1])
    redis.call('EXPIRE', KEYS[1], ${KEPT_S})
    return { tonumber(ARGV[1]), resetS }`,
  parseCommand(parser, key: string, requests: number) {
    parser.pushKey(key)
    parser.push(String(requests))
  },
  transformReply: (reply: unknown) => reply,
})

// Answers with the minute as well: the rest is given back to the one that it was taken from.
const reserveUpload = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${MINUTE}
    local asked, uploads = tonumber(ARGV[1]), tonumber(ARGV[2])
    local bytesMax, uploadsMax = tonumber(ARGV[3]), tonumber(ARGV[4])
    local kept = redis.call('HMGET', KEYS[1], 'minute', 'bytes', 'uploads')
    local isCurrent = tonumber(kept[1]) == minute
    local bytesUsed = isCurrent and tonumber(kept[2]) or 0
    local uploadsUsed = isCurrent and tonumber(kept[3]) or 0
    local bytesLeft, uploadsLeft = bytesMax - bytesUsed, uploadsMax - uploadsUsed
    if bytesLeft <= 0 or uploadsLeft < uploads then
      return { 0, bytesLeft, uploadsLeft, resetS, minute }
    end
    local granted = math.min(asked, bytesLeft)
    redis.call('HSET', KEYS[1], 'minute', minute, 'bytes', bytesUsed + granted, 'uploads', uploadsUsed + uploads)
    redis.call('EXPIRE', KEYS[1], ${KEPT_S})
    return { granted, bytesLeft - granted, uploadsLeft - uploads, resetS, minute }`,
  parseCommand(parser, key: string, asked: UploadLimits, most: UploadLimits) {
    parser.pushKey(key)
    parser.push(
      String(asked.bytes),
      String(asked.uploads),
      String(most.bytes),
      String(most.uploads),
    )
  },
  transformReply: (reply: unknown) => reply,
})

// A minute that is over, or that Redis has forgotten, is left alone: it would count below zero.
const returnBytes = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local kept = redis.call('HMGET', KEYS[1], 'minute', 'bytes')
    if kept[1] ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'bytes', math.max(0, tonumber(kept[2]) - tonumber(ARGV[2])))
    return 1`,
  parseCommand(parser, key: string, minute: number, bytes: number) {
    parser.pushKey(key)
    parser.push(String(minute), String(bytes))
  },
  transformReply: (reply: unknown) => reply,
})

/** The scripts that the service runs in Redis. */
export const scripts = { countRequests, reserveUpload, returnBytes }
