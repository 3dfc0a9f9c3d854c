import type { OwnContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { TableAccess } from '../../core/ports.ts'
import { type Row, statement } from '../../core/sql.ts'
import { look } from './table-looks.ts'
import * as schemas from './table-schemas.ts'
import type { Selector } from './table-schemas.ts'

/** How a value is read from PostgreSQL and becomes JSON. */
export type ValueKind =
  'number' | 'exact' | 'float' | 'boolean' | 'json' | 'instant' | 'nested' | 'text'

export type Column = {
  name: string
  /** Quoted for SQL: `"name"`. */
  quoted: string
  kind: ValueKind
  /** The base type below all domains, without a length, quoted for SQL: what values are cast to. */
  castType: string
  /** The type's name as PostgreSQL shows it to people. */
  type: string
  /**
   * Whether it may hold NULL. A domain's NOT NULL does not rule that out, since PostgreSQL checks it on writes
   * only, nor does one that is NOT VALID yet.
   */
  isNullable: boolean
  /** Whether NULL can be written to it. */
  takesNull: boolean
  defaultValue: string | null
  /** Its position in the primary key, from 1; null for other columns. */
  keyPlace: number | null
  isArray: boolean
  /** What separates the items of an array: a blank in vectors, which have no braces. */
  separator: string
  isComposite: boolean
  /** Whether it holds JSON documents, or arrays of them. */
  holdsJson: boolean
  /** Whether it holds floating-point numbers, or arrays of them, which JSON numbers represent exactly. */
  holdsFloats: boolean
  /** Whether LIKE applies to it. */
  isText: boolean
  /** A domain over an enum, which needs a cast for the operators of enums. */
  isEnumDomain: boolean
}

export type Table = {
  name: string
  selector: Selector
  access: TableAccess
  /** Quoted for INSERT. */
  target: string
  /** The same with ONLY where other tables inherit from it, for all other statements. */
  source: string
  /** Its rows lie in several tables, so a ctid alone does not identify a row. */
  isPartitioned: boolean
  /** Whether it has row security: policies say which rows may be read, which updated and which deleted. */
  hasPolicies: boolean
  columns: Map<string, Column>
  primaryKey: Column[]
  /** Everything that was read of the table, to tell whether it has changed since. */
  signature: string
  /** Statements compiled for the table, by purpose; whoever adds to them bounds their number. */
  statements: Map<string, unknown>
}

/** The stored size, which is smaller than the text. */
const DEFAULT_BYTES = 4_096
const DEFAULT_CHARACTERS = 10_000
// A default may be of any length, and every request for the table would read it again.
const DEFAULT_VALUE = `CASE WHEN pg_column_size(d.adbin) <= ${DEFAULT_BYTES}
               THEN left(pg_get_expr(d.adbin, d.adrelid), ${DEFAULT_CHARACTERS})
               WHEN d.adbin IS NOT NULL THEN '…' END`

/** The characters of a description that weigh as much as one cached credential. */
const WEIGHT_CHARACTERS = 1_024

/** How many domains may be nested; far more than anybody needs. */
const DOMAINS_MAX = 32

// Domains are followed down to their base type. The index of a key may INCLUDE columns that are no part of the key.
const describeTable = statement(
  'describe-project-table',
  `WITH RECURSIVE relation AS (
     SELECT c.oid, c.relkind, c.relrowsecurity FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
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
          ${DEFAULT_VALUE}, array_position((key.indkey::int2[])[0:key.indnkeyatts - 1], a.attnum),
          n.nspname, t.typname, t.typtype, t.typcategory, element.typname, a.attgenerated,
          a.atttypid <> t.oid,
          EXISTS (SELECT FROM base b WHERE b.attnum = a.attnum AND b.typnotnull),
          EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'n'
                     AND k.conkey[1] = a.attnum AND NOT k.convalidated),
          relation.relrowsecurity
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
 * Describes one of a project's tables, as of at most half a minute ago; `isFresh` reads it again. Throws
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

/** A table with hundreds of columns and long defaults takes the memory of thousands of credentials. */
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
    hasPolicies: rows[0]?.at(-1) === 't',
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
const SEPARATORS: Record<string, string> = { _box: ';', int2vector: ' ', oidvector: ' ' }
const ARRAY = 'A'
const STRINGS = 'S'

function columnOf(row: Row, schema: string): Column {
  const [, name = '', type, isRequired, defaultExpression, place, ...base] = row
  const [typeSchema, typeName, typeType, category, element, generated, ...domain] = base
  const [isDomain, isDomainRequired, isUnchecked] = domain.map((word) => word === 't')
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
    isNullable: isRequired === 'f' || isUnchecked === true,
    takesNull: isRequired === 'f' && isDomainRequired !== true,
    // The expression of a generated column is not a default.
    defaultValue:
      defaultExpression == null || generated !== ''
        ? null
        : withoutSchema(defaultExpression, schema),
    keyPlace: place == null ? null : Number(place),
    isArray,
    separator: (isBuiltIn && SEPARATORS[typeName ?? '']) || ',',
    isComposite,
    holdsJson: ['json', 'jsonb'].includes((isArray ? element : typeName) ?? ''),
    holdsFloats: held === 'float',
    isText: category === STRINGS && typeType === 'b',
    isEnumDomain: isDomain === true && typeType === 'e',
  }
}

/** Hides the internal name of the schema. */
export function withoutSchema(text: string, schema: string): string {
  return text.replaceAll(`"${schema}".`, '').replaceAll(`${schema}.`, '')
}

/** Quotes a name for SQL. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
