-- When the channel said last what stands in each column: news that comes late does not undo newer.
ALTER TABLE "templates"
  ADD COLUMN "status_at" TIMESTAMPTZ(3),
  ADD COLUMN "category_at" TIMESTAMPTZ(3),
  ADD COLUMN "components_at" TIMESTAMPTZ(3);
CREATE INDEX "templates_project_id_created_at_id_idx"
  ON "templates" ("project_id", "created_at" DESC, "id" DESC);

-- What the channel said of a template that was not here yet: its creation is under way, or somebody
-- else has made it.
CREATE TABLE "parked_template_statuses" (
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "parked_template_statuses_pkey" PRIMARY KEY ("project_id", "name", "language")
);
CREATE INDEX "parked_template_statuses_received_at_idx" ON "parked_template_statuses" ("received_at");

-- When a project's templates were last fetched; taking the row is taking the work.
CREATE TABLE "template_syncs" (
  "project_id" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "template_syncs_pkey" PRIMARY KEY ("project_id")
);
CREATE INDEX "template_syncs_started_at_idx" ON "template_syncs" ("started_at");

-- The channel sandbox's own templates. It stands in for another company's system, so nothing here
-- refers to the service's tables.
CREATE TABLE "sandbox_templates" (
  "business_account_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "parameter_format" TEXT NOT NULL,
  "components" JSONB NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sandbox_templates_pkey" PRIMARY KEY ("business_account_id", "id")
);
CREATE UNIQUE INDEX "sandbox_templates_business_account_id_name_language_key"
  ON "sandbox_templates" ("business_account_id", "name", "language");
