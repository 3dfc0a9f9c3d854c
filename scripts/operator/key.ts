import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { command, type Noun } from './command.ts'
import { name, required, scopes, text, toggle } from './flags.ts'

const project = required('ID', 'the project that it belongs to', text)
const allowed = required('a,b', 'what it may do; "all" for every scope', scopes)

export const key: Noun = {
  says: "Keys: a program's access to one project",
  verbs: {
    create: command({
      says: 'Creates a key and shows its secret, this once.',
      flags: {
        project,
        name: required('N', 'what people call it', name),
        scopes: allowed,
        test: toggle('marks it as a test key (pk_test_)'),
      },
      run: async (ctx, flags) =>
        keys.create(ctx, {
          projectId: await projects.resolveId(ctx, flags.project),
          name: flags.name,
          scopes: flags.scopes,
          isTest: flags.test,
        }),
    }),
    list: command({
      says: "Lists a project's keys, revoked ones too.",
      flags: { project: required('ID', 'the project that they belong to', text) },
      run: async (ctx, flags) => ({
        keys: await keys.list(ctx, await projects.resolveId(ctx, flags.project)),
      }),
    }),
    rotate: command({
      says: 'Gives a key a new secret, shown this once; the old one stops working at once.',
      operand: 'KEYID',
      flags: {},
      run: (ctx, _, id) => keys.rotate(ctx, id),
    }),
    revoke: command({
      says: 'Ends a key for good, at once.',
      operand: 'KEYID',
      flags: {},
      run: async (ctx, _, id) => ({ key: await keys.revoke(ctx, id) }),
    }),
    scopes: command({
      says: 'Changes what a key may do, at once; its secret stays.',
      operand: 'KEYID',
      flags: { scopes: allowed },
      run: async (ctx, flags, id) => ({ key: await keys.setScopes(ctx, id, flags.scopes) }),
    }),
  },
}
