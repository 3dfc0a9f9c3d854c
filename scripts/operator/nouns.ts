import { bot } from './bot.ts'
import { broadcast } from './broadcast.ts'
import { callback } from './callback.ts'
import { channel } from './channel.ts'
import type { Noun } from './command.ts'
import { connection } from './connection.ts'
import { contact } from './contact.ts'
import { database } from './database.ts'
import { event } from './event.ts'
import { key } from './key.ts'
import { project } from './project.ts'
import { sandbox } from './sandbox.ts'
import { secrets } from './secrets.ts'
import { tables } from './tables.ts'
import { template } from './template.ts'
import { webhook } from './webhook.ts'

/** Every noun of the command line; its verbs stand in the file of its name. */
export const NOUNS: Record<string, Noun> = {
  project,
  channel,
  callback,
  key,
  connection,
  contact,
  template,
  broadcast,
  webhook,
  event,
  tables,
  bot,
  database,
  secrets,
  sandbox,
}
