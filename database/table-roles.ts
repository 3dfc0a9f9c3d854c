import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { messageOf } from '../core/caught-errors.ts'
import { must, oneOff, type Sql, type SqlClient, statement } from '../core/sql.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { LOCKS } from '../core/locks.ts'
import { handOver } from './table-restores.ts'

/** What a role may do in its schema: read rows, change rows, or change the tables. */
export type TableRole = 'reader' | 'writer' | 'owner'

/** Hashed as PostgreSQL keeps it, so that the password never reaches its log; or as it is, to be hashed there. */
export type PasswordForm = 'hashed' | 'plain'

const ROLES: readonly TableRole[] = ['reader', 'writer', 'owner']
/** Connections of one role, over all processes of the service. */
const SESSIONS_MAX = 40
const SCRAM_ROUNDS = 4_096

/** The name of one of a schema's roles. */
export function roleName(schema: string, role: TableRole): string {
  return `${schema}_${role}`
}

/** The database URL for one of its roles. */
export function addressFor(url: string, role: string, password: string): string {
  const address = new URL(url)
  // They would override the settings of the session.
  address.searchParams.delete('options')
  // As parameters, because the URL of a local socket has no place for them before the host.
  address.searchParams.set('user', role)
  address.searchParams.set('password', password)
  return address.href
}

/**
 * Creates a schema with its three roles, or what is missing of both. The schema stays the service's own: its owner
 * role creates tables in it, but can neither drop it nor grant access to others. Throws one sentence that names the
 * right which the service's role lacks.
 */
export async function createSchema(
  tx: SqlClient,
  schema: string,
  password: string,
  form: PasswordForm,
): Promise<void> {
  const roles = ROLES.map((role) => roleName(schema, role))
  const [reader = '', writer = '', owner = ''] = roles.map((role) => pg.escapeIdentifier(role))
  const name = pg.escapeIdentifier(schema)
  const secret = literalOf(password, form)
  try {
    await tx.rows(oneOff(SHUT_OUT_OTHERS))
    const there = await rolesThere(tx, roles)
    const missing = roles
      .filter((role) => !there.has(role))
      .map((role) => pg.escapeIdentifier(role))
    const commands = [
      ...missing.map(
        (role) => `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${SESSIONS_MAX} PASSWORD ${secret}`,
      ),
      `CREATE SCHEMA IF NOT EXISTS ${name}`,
      `GRANT USAGE ON SCHEMA ${name} TO ${reader}, ${writer}, ${owner}`,
      `GRANT CREATE ON SCHEMA ${name} TO ${owner}`,
      ...roles.map(settleRole),
      handOver(schema, roleName(schema, 'owner')),
      ...rightsTo(schema, 'ALL'),
      ...rightsTo(schema, 'DEFAULT'),
    ]
    for (const command of commands) await tx.rows(oneOff(command))
  } catch (error) {
    if (!hasState(error, SQL_STATES.insufficientPrivilege)) throw error
    throw new Error(
      'Project tables need a database role that may make roles and schemas. As an administrator: ' +
        'ALTER ROLE the_role CREATEROLE; GRANT CREATE ON DATABASE the_database TO the_role;',
      { cause: error },
    )
  }
}

/** What grants the rights to the tables of a schema: to all that there are, or to those still to be created. */
function rightsTo(schema: string, which: 'ALL' | 'DEFAULT'): string[] {
  const roles = ROLES.map((role) => pg.escapeIdentifier(roleName(schema, role)))
  const [reader = '', writer = '', owner = ''] = roles
  const name = pg.escapeIdentifier(schema)
  const grant = (rights: string, kind: string, to: string) =>
    which === 'ALL'
      ? `GRANT ${rights} ON ALL ${kind} IN SCHEMA ${name} TO ${to}`
      : `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${name} GRANT ${rights} ON ${kind} TO ${to}`
  return [
    grant('SELECT', 'TABLES', `${reader}, ${writer}`),
    grant('INSERT, UPDATE, DELETE', 'TABLES', writer),
    grant('USAGE', 'SEQUENCES', writer),
  ]
}

const findRoles = statement(
  'find-table-roles',
  'SELECT rolname FROM pg_roles WHERE rolname = ANY ($1::text[])',
)

async function rolesThere(tx: SqlClient, roles: string[]): Promise<Set<string>> {
  return new Set((await tx.rows(findRoles, [roles])).map(([role]) => must(role)))
}

const hasDefaults = statement(
  'has-table-defaults',
  `SELECT 1 FROM pg_default_acl a JOIN pg_namespace n ON n.oid = a.defaclnamespace
    WHERE n.nspname = $1 LIMIT 1`,
)

/**
 * Gives the other roles of a schema their rights to its tables again: a script's DROP OWNED takes them from all
 * tables that are created after it.
 */
export async function restoreRights(sql: Sql, schema: string): Promise<void> {
  if ((await sql.rows(hasDefaults, [schema])).length > 0) return
  await sql.transaction(async (tx) => {
    await tx.rows(oneOff(`SELECT pg_advisory_xact_lock(${LOCKS.roles})`))
    for (const command of rightsTo(schema, 'ALL')) await tx.rows(oneOff(command))
    for (const command of rightsTo(schema, 'DEFAULT')) await tx.rows(oneOff(command))
  })
}

/** Resets a role's password. */
export async function resetPassword(
  tx: SqlClient,
  role: string,
  password: string,
  form: PasswordForm,
): Promise<void> {
  const secret = literalOf(password, form)
  await tx.rows(oneOff(`SELECT pg_advisory_xact_lock(${LOCKS.roles})`))
  await tx.rows(oneOff(`ALTER ROLE ${pg.escapeIdentifier(role)} PASSWORD ${secret}`))
}

/** Allows or forbids the roles of a schema to log in; roles that do not exist are ignored. */
export async function allowLogin(tx: SqlClient, schema: string, isAllowed: boolean): Promise<void> {
  const word = isAllowed ? 'LOGIN' : 'NOLOGIN'
  for (const role of ROLES) {
    const name = pg.escapeLiteral(roleName(schema, role))
    await tx.rows(
      oneOff(
        `DO $$ BEGIN
           EXECUTE pg_catalog.format('ALTER ROLE %I ${word}', ${name}::text);
         EXCEPTION WHEN undefined_object THEN NULL;
         END $$`,
      ),
    )
  }
}

/**
 * Drops a schema with all that is in it, and its roles with the rights that they had. Their sessions, which have no
 * rights any more, end by themselves within a minute.
 */
export async function dropSchema(tx: SqlClient, schema: string): Promise<void> {
  await tx.rows(oneOff(`SELECT pg_advisory_xact_lock(${LOCKS.roles})`))
  await tx.rows(oneOff(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`))
  const roles = ROLES.map((role) => roleName(schema, role))
  for (const role of await rolesThere(tx, roles)) {
    const name = pg.escapeIdentifier(role)
    await tx.rows(oneOff(`DROP OWNED BY ${name} CASCADE`))
    await tx.rows(oneOff(`DROP ROLE ${name}`))
  }
}

/**
 * Revokes what every role of the database can do by default: create temporary tables; in databases made before
 * PostgreSQL 15, create functions that the service would call as its own; and, where a superuser can revoke it,
 * read other users' objects, take the service's advisory locks, fill the disk with large objects. PostgreSQL
 * keeps such rights in a single row, so one transaction at a time runs this.
 */
const SHUT_OUT_OTHERS = `
  DO $$ DECLARE command text; BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(${LOCKS.roles});
    IF pg_catalog.has_database_privilege('public', current_database(), 'TEMPORARY') THEN
      EXECUTE pg_catalog.format('GRANT TEMPORARY ON DATABASE %I TO CURRENT_USER', current_database());
      EXECUTE pg_catalog.format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
    IF pg_catalog.has_schema_privilege('public', pg_catalog.to_regnamespace('public'), 'CREATE') THEN
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    END IF;
    IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
       AND pg_catalog.has_function_privilege('public', 'pg_describe_object(oid,oid,int)', 'EXECUTE') THEN
      REVOKE SELECT ON ALL TABLES IN SCHEMA pg_catalog FROM PUBLIC;
      FOR command IN
        SELECT pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
          FROM pg_catalog.pg_proc
         WHERE pronamespace = 'pg_catalog'::regnamespace
           AND proname ~ ('^(pg_(try_)?advisory_|lo_|lo(read|write)$|pg_notify$'
             || '|pg_get_\\w+def$|pg_get_function_|pg_(describe|identify)_object'
             || '|pg_logical_emit_message$|pg_export_snapshot$)')
      LOOP EXECUTE command; END LOOP;
    END IF;
  END $$`

/** Settings of a role after its creation, as far as the service has the right to set them. */
function settleRole(role: string): string {
  const name = pg.escapeLiteral(role)
  return `
    DO $$ BEGIN
      IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
        EXECUTE pg_catalog.format('ALTER ROLE %I SET temp_file_limit = ''256MB''', ${name}::text);
      ELSE
        -- Ending a session of a role takes being a member of it.
        EXECUTE pg_catalog.format('GRANT %I TO CURRENT_USER', ${name}::text);
      END IF;
      IF NOT pg_catalog.has_database_privilege(${name}::text, current_database(), 'CONNECT') THEN
        EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO %I',
          current_database(), ${name}::text);
      END IF;
    END $$`
}

/**
 * Whether somebody between PostgreSQL and its roles wants to hash passwords itself: Neon and Databricks Lakebase, which
 * say so at the commit, and the extension credcheck.
 */
export function wantsPlain(error: unknown): boolean {
  return /plain ?text/i.test(messageOf(error))
}

function literalOf(password: string, form: PasswordForm): string {
  return pg.escapeLiteral(form === 'hashed' ? verifierOf(password) : password)
}

function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, SCRAM_ROUNDS, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const server = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${stored}:${server}`
}
