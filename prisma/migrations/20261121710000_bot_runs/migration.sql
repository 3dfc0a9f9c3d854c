-- What a bot is to be run for; the row is written with its message or status, and gone when the run is
-- done. No foreign keys, as for deliveries: what is gone by then is not run for.
CREATE TABLE "bot_runs" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "conversation_id" BIGINT NOT NULL,
  "message_id" BIGINT NOT NULL,
  "step" JSONB,
  "due_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "fence" BIGINT NOT NULL DEFAULT 0,
  "begun" SMALLINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "bot_runs_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
-- Projects take turns, each with its oldest; and of a conversation the oldest alone may begin.
CREATE INDEX "bot_runs_project_id_id_idx" ON "bot_runs" ("project_id", "id");
CREATE INDEX "bot_runs_conversation_id_id_idx" ON "bot_runs" ("conversation_id", "id");

-- What a run has done that must not be done twice, should it be begun again. Gone with the run.
CREATE TABLE "bot_calls" (
  "run_id" BIGINT NOT NULL,
  "call" TEXT NOT NULL,
  "transaction_id" TEXT,
  "answer" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "bot_calls_pkey" PRIMARY KEY ("run_id", "call")
);
CREATE INDEX "bot_calls_created_at_idx" ON "bot_calls" ("created_at");

CREATE TABLE "bot_log_lines" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "run_id" BIGINT NOT NULL,
  "conversation_id" BIGINT NOT NULL,
  "version" INTEGER,
  "level" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "bot_log_lines_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "bot_log_lines_level" CHECK ("level" IN ('info', 'warn', 'error'))
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX "bot_log_lines_project_id_id_idx" ON "bot_log_lines" ("project_id", "id");
CREATE INDEX "bot_log_lines_at_idx" ON "bot_log_lines" ("at");
