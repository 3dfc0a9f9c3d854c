import pg from 'pg'
import { must, type Sql, statement } from '../core/sql.ts'

// The right to the schema is what a role needs first, and what it is given before all others.
const findIncomplete = statement(
  'find-incomplete-schemas',
  `SELECT s.name FROM unnest($1::text[]) AS s (name)
     LEFT JOIN pg_namespace n ON n.nspname = s.name
    WHERE n.oid IS NULL OR EXISTS (
      SELECT FROM (VALUES ('reader', 'USAGE'), ('writer', 'USAGE'), ('owner', 'CREATE')) AS needed (role, privilege)
        LEFT JOIN pg_roles r ON r.rolname = s.name || '_' || needed.role
       WHERE r.oid IS NULL OR NOT has_schema_privilege(r.oid, n.oid, needed.privilege))
    ORDER BY 1`,
)

/**
 * Which of these schemas are not there, or lack a role or its rights: PostgreSQL keeps roles outside of databases, so
 * a dump of one restores none.
 */
export async function incompleteSchemas(sql: Sql, schemas: string[]): Promise<string[]> {
  return (await sql.rows(findIncomplete, [schemas])).map(([name]) => must(name))
}

/** Where things of a schema stand that have an owner: the catalog, and the beginning of its columns' names. */
const CATALOGS = {
  pg_class: 'rel',
  pg_type: 'typ',
  pg_proc: 'pro',
  pg_operator: 'opr',
  pg_opclass: 'opc',
  pg_opfamily: 'opf',
  pg_collation: 'coll',
  pg_conversion: 'con',
  pg_statistic_ext: 'stx',
  pg_ts_config: 'cfg',
  pg_ts_dict: 'dict',
}
const THINGS = Object.entries(CATALOGS).map(
  ([catalog, prefix]) =>
    `SELECT '${catalog}'::regclass AS catalog, oid, ${prefix}namespace AS namespace, ${prefix}owner AS owner
       FROM ${catalog}`,
)

/**
 * Gives all that is in a schema to a role. Functions and views act with the rights of their owner, and a dump that is
 * restored without owners makes that the service itself. Parts of other things, such as a table's row type, indexes
 * and the sequences of its columns, go with these.
 */
export function handOver(schema: string, owner: string): string {
  const role = pg.escapeLiteral(owner)
  return `
    DO $$ DECLARE thing record; BEGIN
      FOR thing IN
        SELECT replace(named.type, ' object', '') AS type, named.identity
          FROM (${THINGS.join(' UNION ALL ')}) AS things
         CROSS JOIN LATERAL pg_identify_object(catalog, oid, 0) AS named
         WHERE namespace = ${pg.escapeLiteral(schema)}::regnamespace AND owner <> ${role}::regrole
           AND named.type NOT IN ('index', 'composite type', 'toast table')
           AND NOT EXISTS (
             SELECT FROM pg_depend d WHERE d.classid = catalog AND d.objid = things.oid AND d.objsubid = 0
                AND (d.deptype = 'i' OR (d.deptype = 'a' AND named.type = 'sequence')))
      LOOP
        EXECUTE format('ALTER %s %s OWNER TO %I', thing.type, thing.identity, ${role}::text);
      END LOOP;
    END $$`
}
