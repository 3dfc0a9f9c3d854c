import { defineScript } from 'redis'
import { type UploadLimits, WINDOW_S } from './minute.ts'

// Each is one round trip. The minute is Redis's own, so that processes with different clocks agree; a key
// contains the minute's number and always expires, so that no crash can lock a credential out for ever.
const MINUTE = `
  local seconds = tonumber(redis.call('TIME')[1])
  local key = KEYS[1] .. ':' .. math.floor(seconds / ${WINDOW_S})
  local resetS = ${WINDOW_S} - seconds % ${WINDOW_S}`
const KEPT_S = WINDOW_S * 2

const countRequests = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${MINUTE}
    local used = redis.call('INCRBY', key, ARGV[1])
    redis.call('EXPIRE', key, ${KEPT_S})
    return { used, resetS }`,
  parseCommand(parser, key: string, requests: number) {
    parser.pushKey(key)
    parser.push(String(requests))
  },
  transformReply: (reply: unknown) => reply,
})

// Answers with the key as well: the rest is given back to the minute that it was taken from.
const reserveUpload = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${MINUTE}
    local asked, uploads = tonumber(ARGV[1]), tonumber(ARGV[2])
    local bytesMax, uploadsMax = tonumber(ARGV[3]), tonumber(ARGV[4])
    local used = redis.call('HMGET', key, 'bytes', 'uploads')
    local bytesLeft = bytesMax - (tonumber(used[1]) or 0)
    local uploadsLeft = uploadsMax - (tonumber(used[2]) or 0)
    if bytesLeft <= 0 or uploadsLeft < uploads then
      return { 0, bytesLeft, uploadsLeft, resetS, key }
    end
    local granted = math.min(asked, bytesLeft)
    redis.call('HINCRBY', key, 'bytes', granted)
    redis.call('HINCRBY', key, 'uploads', uploads)
    redis.call('EXPIRE', key, ${KEPT_S})
    return { granted, bytesLeft - granted, uploadsLeft - uploads, resetS, key }`,
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

// A minute that Redis has forgotten is left alone: it would count below zero.
const returnBytes = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local used = tonumber(redis.call('HGET', KEYS[1], 'bytes'))
    if not used then return 0 end
    redis.call('HSET', KEYS[1], 'bytes', math.max(0, used - tonumber(ARGV[1])))
    return 1`,
  parseCommand(parser, key: string, bytes: number) {
    parser.pushKey(key)
    parser.push(String(bytes))
  },
  transformReply: (reply: unknown) => reply,
})

/** The scripts that the service runs in Redis. */
export const scripts = { countRequests, reserveUpload, returnBytes }
