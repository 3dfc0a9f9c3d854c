import * as sealedSecrets from '../../capabilities/projects/sealed-secrets.ts'
import { key } from '../../core/setting-readers.ts'
import { command, type Noun } from './command.ts'
import { bytesOf } from './file.ts'
import { required, text, toggle } from './flags.ts'
import { asSentence } from './print.ts'

const CHANNELS_LEFT =
  'The channels of these projects need their own secrets again: operator channel update --access-token, --app-secret and --verify-token.'
const WEBHOOKS_LEFT = 'The receivers of these webhooks need the new secrets.'

export const secrets: Noun = {
  says: 'Secrets: what the database holds sealed with ENCRYPTION_KEY',
  verbs: {
    reseal: command({
      says: 'Seals all secrets with another key, while no server and no worker runs.',
      flags: {
        'new-key-file': required(
          'FILE',
          'holds the new key: 32 bytes in base64 or hex; - for standard input',
          text,
        ),
      },
      run: async (ctx, { 'new-key-file': file }, _, io) => {
        const resealed = await sealedSecrets.reseal(ctx, keyIn(await bytesOf(file, io), file))
        io.stderr.write(
          'From now on the new key alone opens them: set ENCRYPTION_KEY to it everywhere before anything starts.\n',
        )
        return { resealed }
      },
    }),
    forget: command({
      says: 'Puts new secrets in the place of all that a lost key has sealed, while no server and no worker runs.',
      flags: { 'for-good': toggle('confirms it: nothing brings back what is forgotten') },
      takesAnyKey: true,
      check: ({ 'for-good': isMeant }) => {
        if (isMeant) return
        throw new Error('Nothing brings back what is forgotten: add --for-good to have it so.')
      },
      run: async (ctx, _flags, _, io) => {
        const left = await sealedSecrets.forget(ctx)
        if (left.channels.length > 0) io.stderr.write(asSentence(CHANNELS_LEFT))
        if (left.webhooks.length > 0) io.stderr.write(asSentence(WEBHOOKS_LEFT))
        return left
      },
    }),
  },
}

function keyIn(bytes: Buffer, file: string): Buffer {
  try {
    return key(bytes.toString('utf8').trim())
  } catch (cause) {
    const where = file === '-' ? 'Standard input' : file
    throw new Error(`${where} holds no key: 32 bytes in base64 or hex.`, { cause })
  }
}
