import { must, type Sql, statement } from '../core/sql.ts'

const find = statement(
  'find-foreign-writers',
  `SELECT DISTINCT coalesce(r.rolname, 'PUBLIC') COLLATE "C"
     FROM pg_class t CROSS JOIN LATERAL aclexplode(t.relacl) given
     LEFT JOIN pg_roles r ON r.oid = given.grantee
    WHERE t.oid = 'public.api_keys'::regclass AND given.grantee <> t.relowner
      AND given.privilege_type IN ('INSERT', 'UPDATE') AND r.rolsuper IS NOT TRUE
    ORDER BY 1`,
)

/**
 * Roles that could make themselves a key, or take over another's. Nobody grants that on purpose, but some providers
 * grant all rights to each new table to roles of their own: Supabase to those that its public key reaches.
 */
export async function foreignWriters(sql: Sql): Promise<string[]> {
  return (await sql.rows(find)).map(([role]) => must(role))
}
