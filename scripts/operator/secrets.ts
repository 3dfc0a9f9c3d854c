import * as sealedSecrets from '../../capabilities/projects/sealed-secrets.ts'
import { key } from '../../core/setting-readers.ts'
import { command, type Noun } from './command.ts'
import { bytesOf } from './file.ts'
import { required, text } from './flags.ts'

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
