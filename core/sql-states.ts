import { sqlFaultOf } from './sql.ts'

/** The SQLSTATEs that the service tells apart, under PostgreSQL's names; patterns elsewhere name whole classes. */
export const SQL_STATES = {
  featureNotSupported: '0A000',
  stringTooLong: '22001',
  numericOutOfRange: '22003',
  characterNotInRepertoire: '22021',
  untranslatableCharacter: '22P05',
  /** What PostgreSQL 18 and newer say of a row that is deleted and to which another refers. */
  restrictViolation: '23001',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  /** The command cannot run in a transaction. */
  activeTransaction: '25001',
  /** The session does not know a prepared statement, because it was told to discard it. */
  invalidStatementName: '26000',
  invalidPassword: '28P01',
  /** There is no such database. */
  invalidCatalogName: '3D000',
  invalidSchemaName: '3F000',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  syntaxError: '42601',
  undefinedColumn: '42703',
  undefinedObject: '42704',
  datatypeMismatch: '42804',
  undefinedFunction: '42883',
  /** A value was given for a column that is always generated. */
  generatedAlways: '428C9',
  undefinedTable: '42P01',
  duplicateDatabase: '42P04',
  invalidColumnReference: '42P10',
  tooManyConnections: '53300',
  /** A lock was not granted within `lock_timeout`. */
  lockNotAvailable: '55P03',
  /** The statement took longer than `statement_timeout`, or was canceled. */
  queryCanceled: '57014',
  /** Also what PostgreSQL answers when two sessions change the same entry of its catalogs. */
  internalError: 'XX000',
} as const

/** Whether an error is PostgreSQL's, with one of these SQLSTATEs. */
export function hasState(error: unknown, ...states: string[]): boolean {
  return states.includes(sqlFaultOf(error)?.state ?? '')
}
