/** The keys of the advisory locks in a database of the service; no two are the same. */
export const LOCKS = {
  /** That of Prisma's own migrations: its tools and this code exclude each other. */
  migrations: 72_707_369,
  /** One server at a time on an embedded database. */
  claim: 20_261_121,
  /** Shared by all who use an embedded database. */
  presence: 20_261_122,
  /** Shared by every process for as long as it listens. */
  listening: 20_261_125,
  /** The making of roles, which belong to all databases of a cluster. */
  roles: 20_261_124,
} as const
