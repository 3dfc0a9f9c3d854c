import { describe, expect, it } from '@jest/globals'
import { columnAtFault } from '../../capabilities/tables/table-fault-columns.ts'
import type { Column, Table } from '../../capabilities/tables/table-catalog.ts'
import type { SqlFault } from '../../core/sql.ts'

const TYPES = {
  name: 'text',
  small: 'smallint',
  short: 'character varying(3)',
  amount: 'numeric(5,2)',
  price: 'numeric(7,2)',
  serial: 'integer',
  type: 'bigint',
}
const columns = Object.entries(TYPES).map(([name, type]) => ({ name, type }) as Column)
const table = { columns: new Map(columns.map((one) => [one.name, one])) } as unknown as Table
const asked = { text: '', parameters: columns, values: columns.map(() => 'smallint') }
const none = { constraint: null, column: null, detail: null, where: null, position: null }
const at = (fault: Partial<SqlFault>) =>
  columnAtFault({ ...none, ...fault } as SqlFault, table, asked)

/** As PostgreSQL 15 says it in English, German, French and Japanese. */
const SAID: [column: string, faults: Partial<SqlFault>[]][] = [
  [
    'small',
    [
      "unnamed portal parameter $2 = '...'",
      "unbenanntes Portal Parameter $2 = '...'",
      "paramètre de portail non nommé $2 = '...'",
      "無名ポータルパラメータ $2 = '...'",
    ].map((where) => ({ state: '22P02', message: 'smallint: "smallint"', where })),
  ],
  [
    'short',
    [
      'value too long for type character varying(3)',
      'Wert zu lang für Typ character varying(3)',
      'valeur trop longue pour le type character varying(3)',
      '値は型character varying(3)としては長すぎます',
    ].map((message) => ({ state: '22001', message })),
  ],
  [
    'amount',
    [
      'A field with precision 5, scale 2 must round to an absolute value less than 10^3.',
      'Ein Feld mit Präzision 5, Skala 2 muss beim Runden einen Betrag von weniger als 10^3 ergeben.',
      "Un champ de précision 5 et d'échelle 2 doit être arrondi à une valeur absolue inférieure à 10^3.",
      '精度5、位取り2を持つフィールドは、10^3より小さな絶対値に丸められます。',
    ].map((detail) => ({ state: '22003', message: 'numeric', detail })),
  ],
  [
    'serial',
    [
      'cannot insert a non-DEFAULT value into column "serial"',
      'kann keinen Wert außer DEFAULT in Spalte »serial« einfügen',
      'ne peut pas insérer une valeur pas par défaut dans la colonne «\u00a0serial\u00a0»',
      '列"serial"への非デフォルト値の挿入はできません',
    ].map((message) => ({ state: '428C9', message })),
  ],
]

describe('the column at fault', () => {
  const cases = SAID.flatMap(([column, faults]) => faults.map((fault) => [fault, column] as const))
  it.each(cases)('in %j is %s', (fault, column) => {
    expect(at(fault)).toBe(column)
  })

  it.each([
    [
      "a trigger's own words",
      { state: 'P0001', message: 'no bigint of "name" for a column "small"' },
    ],
    ["a function's own statement", { state: 'P0001', message: '', where: 'SQL "SELECT $2"' }],
    ['the type of no column', { state: '22003', message: '', detail: '10, 2' }],
  ])('is not guessed from %s', (_, fault) => {
    expect(at(fault)).toBeNull()
  })
})
