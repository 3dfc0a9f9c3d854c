import * as connections from '../../capabilities/projects/connections.ts'
import { command, type Noun } from './command.ts'
import {
  grant,
  name,
  optional,
  repeated,
  repeatedRequired,
  required,
  text,
  wholeNumber,
} from './flags.ts'

const GRANT = ['PROJECT=a,b', 'a project and its scopes there, or PROJECT=all'] as const
const byDefault = optional(
  'PROJECT',
  'the project that a read uses when it names none; the first one when there is no other',
  text,
)

export const connection: Noun = {
  says: "Connections: an agent's access to several projects",
  verbs: {
    create: command({
      says: 'Creates a connection and shows its token, this once.',
      flags: {
        name: required('N', 'what people call it', name),
        grant: repeated(...GRANT, grant),
        default: byDefault,
        'expires-in': optional(
          'SECONDS',
          'how long the token works; for good when left out',
          wholeNumber(1),
        ),
      },
      run: (ctx, flags) =>
        connections.create(ctx, {
          name: flags.name,
          grants: flags.grant,
          defaultProjectId: flags.default,
          expiresInS: flags['expires-in'],
        }),
    }),
    list: command({
      says: 'Lists all connections, revoked ones too.',
      flags: {},
      run: async (ctx) => ({ connections: await connections.list(ctx) }),
    }),
    attach: command({
      says: 'Lets a connection reach more projects, or gives it other scopes in one.',
      operand: 'ID',
      flags: { grant: repeatedRequired(...GRANT, grant), default: byDefault },
      run: async (ctx, flags, id) => ({
        connection: await connections.attach(ctx, id, {
          grants: flags.grant,
          defaultProjectId: flags.default,
        }),
      }),
    }),
    detach: command({
      says: "Ends a connection's reach into one project, at once.",
      operand: 'ID',
      flags: { project: required('PROJECT', 'the project', text) },
      run: async (ctx, flags, id) => ({
        connection: await connections.detach(ctx, id, flags.project),
      }),
    }),
    revoke: command({
      says: 'Ends a connection for good, at once.',
      operand: 'ID',
      flags: {},
      run: async (ctx, _, id) => ({ connection: await connections.revoke(ctx, id) }),
    }),
  },
}
