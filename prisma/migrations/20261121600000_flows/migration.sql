-- A flow as the channel holds it. The definition is JSON and not JSONB: it comes back as it was written.
CREATE TABLE "flows" (
  "id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "categories" TEXT[],
  "definition" JSON,
  "validation_errors" JSONB NOT NULL DEFAULT '[]',
  "status_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "flows_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE INDEX "flows_project_id_created_at_id_idx"
  ON "flows" ("project_id", "created_at" DESC, "id" DESC);
CREATE INDEX "flows_project_id_name_idx" ON "flows" ("project_id", "name");
ALTER TABLE "flows" ADD CONSTRAINT "flows_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- When a project's flows were last fetched; taking the row is taking the work.
CREATE TABLE "flow_syncs" (
  "project_id" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "flow_syncs_pkey" PRIMARY KEY ("project_id")
);
CREATE INDEX "flow_syncs_started_at_idx" ON "flow_syncs" ("started_at");

-- The channel sandbox's own flows; it stands in for another company's system.
CREATE TABLE "sandbox_flows" (
  "business_account_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "categories" TEXT[],
  "definition" JSON,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sandbox_flows_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sandbox_flows_business_account_id_name_key"
  ON "sandbox_flows" ("business_account_id", "name");
