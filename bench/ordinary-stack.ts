import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import express, { type NextFunction, type Request, type Response } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { createClient } from 'redis'
import { readContract } from '../core/contract.ts'
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { contestant, listen } from './contestants/contestant.ts'

// What one would write first with the same libraries, each used as its own guide shows. It is the yardstick
// that the service is measured against, so it stays as it is.

export type OrdinaryStack = { databaseUrl: string; redisUrl: string | null; rateLimit: number }

const WINDOW_MS = 24 * 60 * 60 * 1000
const RELATIONS = {
  contact: true,
  messages: { orderBy: { id: 'desc' }, take: 1 },
} satisfies Prisma.ConversationInclude

type Conversation = Prisma.ConversationGetPayload<{ include: typeof RELATIONS }>

contestant<OrdinaryStack>(async ({ databaseUrl, redisUrl, rateLimit }) => {
  const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) })
  const redis = redisUrl ? await createClient({ url: redisUrl }).connect() : null
  const app = express()
  app.use(express.json())
  app.use(
    OpenApiValidator.middleware({
      // Read in the same way as by the service, so that both check against the same document.
      apiSpec: readContract() as never,
      validateRequests: true,
      validateResponses: false,
      validateSecurity: false,
    }),
  )

  app.get('/v1/conversations', async (req, res) => {
    const secret = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const secretHash = createHash('sha256').update(secret).digest()
    const key = await db.apiKey.findUnique({ where: { secretHash }, include: { project: true } })
    if (!key || key.revokedAt) return void res.status(401).json({ success: false })
    if ((await countRequest(key.id)) > rateLimit) {
      return void res.status(429).json({ success: false })
    }
    const limit = Number(req.query.limit ?? 50)
    const conversations = await db.conversation.findMany({
      where: { projectId: key.projectId },
      include: RELATIONS,
      orderBy: [{ lastActivityAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
    })
    const page = conversations.slice(0, limit)
    const last = conversations.length > limit ? page.at(-1) : undefined
    const nextCursor = last ? Buffer.from(String(last.id)).toString('base64url') : null
    res.json({ success: true, data: { conversations: page.map(present), nextCursor } })
  })

  app.use((error: { status?: number }, _req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) return next(error)
    res.status(error.status ?? 500).json({ success: false })
  })
  return listen(app)

  async function countRequest(keyId: string): Promise<number> {
    if (!redis) return 0
    const name = `ordinary:${keyId}:${Math.floor(Date.now() / 60_000)}`
    const [used] = await redis.multi().incr(name).expire(name, 60).exec()
    return Number(used)
  }
})

function present({ contact, messages: [message], ...conversation }: Conversation) {
  const inboundAt = conversation.lastInboundAt
  const expiresAt = inboundAt && new Date(inboundAt.getTime() + WINDOW_MS)
  return {
    id: Number(conversation.id),
    contact: {
      id: Number(contact.id),
      phone: contact.phone,
      name: contact.name ?? contact.profileName,
    },
    state: conversation.state,
    status: conversation.state,
    last_message: message
      ? {
          id: Number(message.id),
          type: message.type,
          direction: message.direction,
          content: message.content,
          status: message.status,
          created_at: message.createdAt,
        }
      : null,
    last_activity_at: conversation.lastActivityAt,
    last_inbound_at: inboundAt,
    window: { open: expiresAt !== null && new Date() < expiresAt, expires_at: expiresAt },
    unread_count: conversation.unreadCount,
    created_at: conversation.createdAt,
    updated_at: conversation.updatedAt,
  }
}
