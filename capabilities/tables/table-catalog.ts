import type { OwnContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { TableAccess } from '../../core/ports.ts'
import { type Row, statement } from '../../core/sql.ts'
import { look } from './table-looks.ts'
import * as schemas from './table-schemas.ts'
import type { Selector } from './table-schemas.ts'

/** How a value comes out of PostgreSQL and becomes JSON. */
export type ValueKind =
  'number' | 'exact' | 'float' | 'boolean' | 'json' | 'instant' | 'nested' | 'text'

export type Column = {
  name: string
  /** As an SQL text: `"name"`. */
  quoted: string
  kind: ValueKind
  /** The type under all domains, without a length, as an SQL text that values are cast to. */
  castType: string
  /** The type as PostgreSQL names it to people. */
  type: string
  /** It may hold NULL; one whose domain takes none can, for PostgreSQL looks at what is written alone. */
  isNullable: boolean
  /** NULL can be written to it. */
  takesNull: boolean
  defaultValue: string | null
  /** Its place in the primary key, from 1; null for the other columns. */
  keyPlace: number | null
  isArray: boolean
  isComposite: boolean
  /** It is, or its elements are, JSON documents. */
  holdsJson: boolean
  /** It is, or its elements are, doubles or smaller, which JSON numbers say as well as PostgreSQL does. */
  holdsFloats: boolean
  /** LIKE can look into it. */
  isText: boolean
  /** A domain over an enum, which the operators of enums do not take as it is. */
  isEnumDomain: boolean
}

export type Table = {
  name: string
  selector: Selector
  access: TableAccess
  /** As an SQL text, for INSERT. */
  target: string
  /** The same without the tables that inherit from it, for all other statements. */
  source: string
  /** Its rows lie in several tables, so that a place in one of them is not enough to name a row. */
  isPartitioned: boolean
  columns: Map<string, Column>
  primaryKey: Column[]
  /** All that was read of it, to tell whether it has changed since. */
  signature: string
  /** The statements that were made for it, by what they do; bounded by whoever adds to them. */
  statements: Map<string, unknown>
}

/** As PostgreSQL keeps it, which is shorter than it reads. */
const DEFAULT_BYTES = 4_096
const DEFAULT_CHARACTERS = 10_000
// A project's code makes one of any length, and every request for the table would read it anew.
const DEFAULT_VALUE = `CASE WHEN pg_column_size(d.adbin) <= ${DEFAULT_BYTES}
               THEN left(pg_get_expr(d.adbin, d.adrelid), ${DEFAULT_CHARACTERS})
               WHEN d.adbin IS NOT NULL THEN '…' END`

/** What was read of a table that is worth one credential. */
const WEIGHT_CHARACTERS = 1_024

/** So many domains may stand on one another; nobody needs as many. */
const DOMAINS_MAX = 32

// Domains are followed down to the type that they stand on.
const describeTable = statement(
  'describe-project-table',
  `WITH RECURSIVE relation AS (
     SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p')
   ), base AS (
     SELECT a.attnum, t.oid, t.typtype, t.typbasetype, t.typnotnull, 1 AS depth
       FROM relation JOIN pg_attribute a ON a.attrelid = relation.oid
       JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attnum > 0 AND NOT a.attisdropped
     UNION ALL
     SELECT base.attnum, t.oid, t.typtype, t.typbasetype, t.typnotnull, base.depth + 1
       FROM base JOIN pg_type t ON t.oid = base.typbasetype
      WHERE base.typtype = 'd' AND base.depth < ${DOMAINS_MAX}
   )
   SELECT relation.relkind, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
          ${DEFAULT_VALUE}, array_position(key.indkey::int2[], a.attnum),
          n.nspname, t.typname, t.typtype, t.typcategory, element.typname, a.attgenerated,
          a.atttypid <> t.oid,
          EXISTS (SELECT FROM base b WHERE b.attnum = a.attnum AND b.typnotnull)
     FROM relation
     LEFT JOIN pg_attribute a ON a.attrelid = relation.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN base ON base.attnum = a.attnum AND base.typtype <> 'd'
     LEFT JOIN pg_type t ON t.oid = base.oid
     LEFT JOIN pg_namespace n ON n.oid = t.typnamespace
     LEFT JOIN pg_type element ON element.oid = t.typelem AND t.typcategory = 'A'
     LEFT JOIN pg_attrdef d ON d.adrelid = relation.oid AND d.adnum = a.attnum
     LEFT JOIN pg_index key ON key.indrelid = relation.oid AND key.indisprimary
    ORDER BY a.attnum`,
)

/**
 * One of a project's tables, as it was at most half a minute ago; `isFresh` reads it anew. Throws
 * `platform_table_forbidden` for a name of the service's own, else `table_not_found`.
 */
export async function describe(
  ctx: OwnContext,
  name: string,
  selector: Selector,
  { isFresh = false } = {},
): Promise<Table> {
  const key = `table ${selector} ${name} ${ctx.project.id}`
  const known = isFresh ? undefined : ctx.cache.get<Table>(key)
  if (known) return known
  const access = await schemas.find(ctx, ctx.project.id, selector)
  const read = async () => {
    const rows = access ? await look(ctx, ctx.project.id, describeTable, [access.schema, name]) : []
    return access && rows.length > 0 ? tableOf(rows, { name, selector, access }) : null
  }
  const table = isFresh ? await read() : await ctx.cache.load(key, read, weightOf)
  return table ?? refuse(ctx, name, selector)
}

/** A table of hundreds of columns and long defaults takes as much memory as thousands of credentials. */
function weightOf({ signature }: Table): number {
  return Math.ceil(signature.length / WEIGHT_CHARACTERS)
}

const isPlatformTable = statement(
  'is-platform-table',
  `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'S')`,
)

async function refuse(ctx: OwnContext, name: string, selector: Selector): Promise<never> {
  const rows = name.startsWith('pg_') ? [[name]] : await ctx.sql.rows(isPlatformTable, [name])
  if (rows.length > 0) {
    throw new ServiceError(
      'platform_table_forbidden',
      `The table ${name} belongs to the platform; only the project's own tables can be reached.`,
    )
  }
  throw new ServiceError(
    'table_not_found',
    `There is no table ${name} in the project's ${selector} schema; views are not served.`,
  )
}

type Place = { name: string; selector: Selector; access: TableAccess }

function tableOf(rows: Row[], { name, selector, access }: Place): Table {
  const isPartitioned = rows[0]?.[0] === 'p'
  const columns = rows.flatMap((row) => (row[1] == null ? [] : [columnOf(row, access.schema)]))
  const target = `${quote(access.schema)}.${quote(name)}`
  return {
    name,
    selector,
    access,
    target,
    isPartitioned,
    source: isPartitioned ? target : `ONLY ${target}`,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey: columns
      .filter(({ keyPlace }) => keyPlace !== null)
      .sort((one, other) => Number(one.keyPlace) - Number(other.keyPlace)),
    signature: JSON.stringify(rows),
    statements: new Map(),
  }
}

const KINDS: Record<string, ValueKind> = {
  int2: 'number',
  int4: 'number',
  int8: 'exact',
  numeric: 'exact',
  float4: 'float',
  float8: 'float',
  bool: 'boolean',
  json: 'json',
  jsonb: 'json',
  timestamp: 'instant',
  timestamptz: 'instant',
}
const ARRAY = 'A'
const STRINGS = 'S'

function columnOf(row: Row, schema: string): Column {
  const [, name = '', type, isRequired, defaultExpression, place, ...base] = row
  const [typeSchema, typeName, typeType, category, element, generated, ...domain] = base
  const [isDomain, isDomainRequired] = domain.map((word) => word === 't')
  const isBuiltIn = typeSchema === 'pg_catalog'
  const isArray = category === ARRAY && element != null
  const isComposite = typeType === 'c'
  const known = isBuiltIn ? KINDS[typeName ?? ''] : undefined
  const held = isBuiltIn && isArray ? KINDS[element] : known
  return {
    name: name ?? '',
    quoted: quote(name ?? ''),
    kind: isArray || isComposite ? 'nested' : (known ?? 'text'),
    castType: `${quote(typeSchema ?? '')}.${quote(typeName ?? '')}`,
    type: withoutSchema(type ?? '', schema),
    isNullable: isRequired === 'f',
    takesNull: isRequired === 'f' && isDomainRequired !== true,
    // What a generated column is made of is no default.
    defaultValue:
      defaultExpression == null || generated !== ''
        ? null
        : withoutSchema(defaultExpression, schema),
    keyPlace: place == null ? null : Number(place),
    isArray,
    isComposite,
    holdsJson: ['json', 'jsonb'].includes((isArray ? element : typeName) ?? ''),
    holdsFloats: held === 'float',
    isText: category === STRINGS && typeType === 'b',
    isEnumDomain: isDomain === true && typeType === 'e',
  }
}

/** How the schema is called inside is nobody's affair. */
export function withoutSchema(text: string, schema: string): string {
  return text.replaceAll(`"${schema}".`, '').replaceAll(`${schema}.`, '')
}

/** A name as an SQL text. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
