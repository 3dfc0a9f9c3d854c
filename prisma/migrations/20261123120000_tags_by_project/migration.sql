-- Contacts are looked for by a tag within one project. By the tag alone all are gone through that have it in
-- other projects, however few of this one do. A project's id holds no blank.
CREATE FUNCTION "tags_of_project"("project" TEXT, "tags" TEXT[]) RETURNS TEXT[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_agg("project" || ' ' || "tag") FROM unnest("tags") AS "tag");
CREATE INDEX "contacts_tags_of_project_idx" ON "contacts"
  USING GIN ("tags_of_project"("project_id", "tags"));
DROP INDEX "contacts_tags_idx";
