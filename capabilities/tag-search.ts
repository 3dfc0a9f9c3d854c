/**
 * SQL of whether the contact `k` of project `$1` has the tag of a placeholder, written so that the tag index
 * serves it.
 */
export function tagIndexed(placeholder: string): string {
  return `tags_of_project(k.project_id, k.tags) @> ARRAY[$1::text || ' ' || ${placeholder}::text]`
}

/** The same for queries that may find the rows by another index; it looks at the tags of those rows alone. */
export function hasTag(placeholder: string): string {
  return `(k.tags @> ARRAY[${placeholder}::text] AND ${tagIndexed(placeholder)})`
}
