-- What a project may still send: one row, so that credits and the day's quota are taken together or not
-- at all. It is rewritten by every send and never read by a key other than its own.
CREATE TABLE "send_budgets" (
  "project_id" TEXT NOT NULL,
  "credits" INTEGER,
  "day" DATE NOT NULL DEFAULT '1970-01-01',
  "used" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "send_budgets_pkey" PRIMARY KEY ("project_id"),
  CONSTRAINT "send_budgets_credits_not_negative" CHECK ("credits" >= 0),
  CONSTRAINT "send_budgets_used_not_negative" CHECK ("used" >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "send_budgets" ADD CONSTRAINT "send_budgets_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

INSERT INTO "send_budgets" ("project_id", "credits") SELECT "id", "credits" FROM "projects";
ALTER TABLE "projects" DROP COLUMN "credits";

-- The UTC day whose quota an attempt has used; null when it used none.
ALTER TABLE "send_attempts" ADD COLUMN "charged_on" DATE;

-- When a customer's choice on marketing was made: an older one that comes late does not win.
ALTER TABLE "contacts" ADD COLUMN "opted_in_at" TIMESTAMPTZ(3);

-- Finds edits and revocations that came before the message that they change.
CREATE INDEX "messages_changes_idx" ON "messages" ("project_id", ("payload" ->> 'original_message_id'))
  WHERE "payload" ? 'original_message_id';

CREATE TABLE "idempotency_records" (
  "project_id" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "fingerprint" BYTEA NOT NULL,
  "attempt_id" UUID NOT NULL,
  "request_id" TEXT NOT NULL,
  "status" INTEGER,
  "answer" TEXT,
  "locked_until" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("project_id", "key"),
  CONSTRAINT "idempotency_records_answered_whole" CHECK (("status" IS NULL) = ("answer" IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records" ("expires_at");

CREATE TABLE "templates" (
  "id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "parameter_format" TEXT NOT NULL DEFAULT 'POSITIONAL',
  "components" JSONB NOT NULL,
  "rejection_reason" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "templates_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE UNIQUE INDEX "templates_project_id_name_language_key" ON "templates" ("project_id", "name", "language");
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TRIGGER "templates_changed" AFTER INSERT OR UPDATE OR DELETE ON "templates"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();

CREATE TABLE "media" (
  "slug" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "filename" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL,
  "size" BIGINT NOT NULL,
  "sha256" TEXT NOT NULL,
  "media_id" TEXT,
  "expires_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "media_pkey" PRIMARY KEY ("project_id", "slug")
);
CREATE INDEX "media_project_id_media_id_idx" ON "media" ("project_id", "media_id");
ALTER TABLE "media" ADD CONSTRAINT "media_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
