import { type Break, tests } from './break.ts'

const ISOLATION = tests('integration/tables-isolation')

/** A project's tables: reached as its own role, by names that they have. */
export const TABLES: Break[] = [
  {
    name: 'a session of the service’s own role',
    file: 'database/table-lane.ts',
    find: 'connectionString: addressFor(url, role, password),',
    replace: 'connectionString: [url, addressFor(url, role, password)][0],',
    gate: ISOLATION,
    says: '● a write › cannot make a table or change one',
  },
  {
    name: 'a script that runs as the service',
    file: 'database/table-script.ts',
    find: "connectionString: addressFor(url, roleName(schema, 'owner'), password),",
    replace: "connectionString: [url, addressFor(url, roleName(schema, 'owner'), password)][0],",
    gate: ISOLATION,
    says: '● a project’s SQL › cannot read another project',
  },
  {
    name: 'a session that keeps what a project has left in it',
    file: 'database/table-store.ts',
    find: "await run('DISCARD ALL')",
    replace: "await run('SELECT 1')",
    gate: ISOLATION,
    says: '● a write › leaves nothing behind in its session for the next',
  },
  {
    name: 'a read that writes',
    file: 'database/table-store.ts',
    find: "const isReadOnly = kind === 'reader'",
    replace: "const isReadOnly = kind === 'owner'",
    gate: ISOLATION,
    says: '● a read › cannot write, whatever a policy tries while it runs',
  },
  {
    name: 'a column that no table has',
    file: 'capabilities/tables/table-filters.ts',
    find: '  if (column) return column\n',
    replace:
      '  if (column) return column\n  for (const [, one] of table.columns) return { ...one, name, quoted: name }\n',
    gate: tests('integration/tables-rows'),
    says: '● the other parameters › know no such column',
  },
  {
    name: 'a name that ends its own quotes',
    file: 'capabilities/tables/table-catalog.ts',
    find: 'return `"${name.replaceAll(\'"\', \'""\')}"`',
    replace: 'return `"${name}"`',
    gate: tests('integration/tables-changes', 'an insert answers with the rows'),
    says: '● an insert › answers with the rows as they are then',
  },
  {
    name: 'a table of the platform',
    file: 'capabilities/tables/table-catalog.ts',
    find: 'await look(ctx, ctx.project.id, describeTable, [access.schema, name])',
    replace: "await look(ctx, ctx.project.id, describeTable, ['public', name])",
    gate: tests('integration/tables-rows', 'of the platform, such as'),
    says: '● a table › of the platform, such as api_keys, is refused',
  },
  {
    name: 'a change of all rows that nobody asked for',
    file: 'capabilities/tables/table-changes.ts',
    find: '  if (filters.length === 0) {',
    replace: '  if (filters.length > 99) {',
    gate: tests('integration/tables-changes', 'needs a filter'),
    says: '● deleteRows › needs a filter',
  },
  {
    name: 'a change of rows that passes by those which are just being changed',
    file: 'capabilities/tables/table-changes.ts',
    find: "const lock = isDryRun ? '' : ' FOR UPDATE OF t'",
    replace: "const lock = isDryRun ? '' : ''",
    gate: tests('integration/tables-changes', 'is just changing its rows'),
    says: '● an update › waits for whoever is just changing its rows',
  },
  {
    name: 'a sequence of which no row gets a number',
    file: 'database/table-roles.ts',
    find: 'GRANT USAGE ON SEQUENCES TO ${writer}',
    replace: 'GRANT SELECT ON SEQUENCES TO ${writer}',
    gate: tests('integration/tables-changes', 'the next number of a sequence'),
    says: '● an insert › takes the next number of a sequence that a column begins with',
  },
]
