/** A UUID as callers write it; PostgreSQL would not read one with the prefix `urn:uuid:`. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
