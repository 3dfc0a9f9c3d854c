/** SQL of whether a contact `k` of the project `$1` has the tag of a placeholder, as the index has it. */
export function tagIndexed(placeholder: string): string {
  return `tags_of_project(k.project_id, k.tags) @> ARRAY[$1::text || ' ' || ${placeholder}::text]`
}

/** The same where rows may also be found in another way: that names the tags of those alone that have it. */
export function hasTag(placeholder: string): string {
  return `(k.tags @> ARRAY[${placeholder}::text] AND ${tagIndexed(placeholder)})`
}
