-- Where a project's tables are: a schema for each of its two sets, and the password of the three roles
-- that may enter it. A row is written in the transaction that makes the schema and the roles.
CREATE TABLE "table_schemas" (
  "project_id" TEXT NOT NULL,
  "selector" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "password" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "table_schemas_pkey" PRIMARY KEY ("project_id", "selector"),
  CONSTRAINT "table_schemas_selector_known" CHECK ("selector" IN ('public', 'preview'))
);
CREATE UNIQUE INDEX "table_schemas_name_key" ON "table_schemas" ("name");
ALTER TABLE "table_schemas" ADD CONSTRAINT "table_schemas_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TRIGGER "table_schemas_changed" AFTER INSERT OR UPDATE OR DELETE ON "table_schemas"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();

-- Positions in a table that are too long for a cursor, which names them instead.
CREATE TABLE "row_cursors" (
  "id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "position" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "row_cursors_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX "row_cursors_created_at_idx" ON "row_cursors" ("created_at");
ALTER TABLE "row_cursors" ADD CONSTRAINT "row_cursors_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The roles of projects must not see into the service's own schema. Whoever runs this keeps what he has
-- through PUBLIC today.
GRANT USAGE, CREATE ON SCHEMA "public" TO CURRENT_USER;
REVOKE ALL ON SCHEMA "public" FROM PUBLIC;
