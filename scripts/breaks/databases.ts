import { type Break, tests } from './break.ts'

const OUTSIDE = tests('integration/outside-database')
const STANDBY = tests('e2e/standby')
const MIGRATIONS = tests('integration/migrations')

/** A database with settings of its own, as others run it. */
export const DATABASES: Break[] = [
  {
    name: 'tables of the service in a schema where Prisma does not look for them',
    file: 'database/connect.ts',
    find: "  search_path: 'public',\n",
    replace: '',
    gate: OUTSIDE,
    says: '› holds all that is the service’s in its schema public',
  },
  {
    name: 'arrays whose NULL is a word',
    file: 'database/connect.ts',
    find: "array_nulls: 'on'",
    replace: "array_nulls: 'off'",
    gate: OUTSIDE,
    says: '› does not change what statements mean by its own settings',
  },
  {
    name: 'statements that are sent to a standby',
    file: 'database/pool.ts',
    find: '    onConnect: requirePrimary,\n',
    replace: '',
    gate: STANDBY,
    says: '› is not read from, and is taken again once it is promoted',
  },
  {
    name: 'tables of a standby',
    file: 'database/table-session.ts',
    find: '  requirePrimary(client)\n',
    replace: '',
    gate: STANDBY,
    says: '› has no sessions for tables',
  },
  {
    name: 'a migration that has no more time than a statement',
    file: 'database/migrations.ts',
    find: '  statement_timeout: 0,\n',
    replace: '',
    gate: MIGRATIONS,
    says: '› takes the time that it needs',
  },
  {
    name: 'a migration that has no more time than a transaction',
    file: 'database/migrations.ts',
    find: "set_config(name, '0', false)",
    replace: 'set_config(name, current_setting(name), false)',
    gate: MIGRATIONS,
    says: '› takes the time that it needs',
  },
  {
    name: 'passwords in a form that the provider has refused',
    file: 'database/table-store.ts',
    find: "    form = 'plain'\n",
    replace: '',
    gate: tests('integration/table-passwords'),
    says: '› is given those of tables as they are, once it has said so',
  },
  {
    name: 'a password set again in a form that the provider has refused',
    file: 'database/table-store.ts',
    find: 'await settingPasswords(() => sql.transaction((tx) => resetPassword(tx, role, password, form)))',
    replace: 'await sql.transaction((tx) => resetPassword(tx, role, password, form))',
    gate: tests('integration/table-passwords'),
    says: '› is given them so also when one is set again',
  },
  {
    name: 'rights of everybody to write keys, of which nobody is told',
    file: 'database/foreign-rights.ts',
    find: 'LEFT JOIN pg_roles r',
    replace: 'JOIN pg_roles r',
    gate: tests('integration/foreign-rights'),
    says: '› is warned of at the start, with the names of those who could make keys',
  },
  {
    name: 'a purge of a project that is in use',
    file: 'capabilities/projects/project-purge.ts',
    find: "  if (status !== 'deleted') {",
    replace: '  if (status === undefined) {',
    gate: tests('integration/project-purge'),
    says: '› is refused while it is in use, or under another name',
  },
  {
    name: 'rows that a purge leaves behind for ever',
    file: 'capabilities/projects/project-purge.ts',
    find: "'unread_callbacks', ",
    replace: '',
    gate: tests('integration/project-purge'),
    says: '› leaves nothing of it, and all of another',
  },
  {
    name: 'a purge that gives up for what came in the meantime',
    file: 'capabilities/conflicts.ts',
    find: '  SQL_STATES.foreignKeyViolation,\n  SQL_STATES.restrictViolation,\n',
    replace: '',
    gate: tests('integration/project-purge'),
    says: '› is made again where something has come in the meantime',
  },
]
