/** A UUID as callers write it: PostgreSQL knows no `urn:uuid:` before one. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
