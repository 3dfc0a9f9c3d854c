CREATE TABLE "webhooks" (
  "id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "events" TEXT[] NOT NULL,
  "is_active" BOOLEAN NOT NULL,
  "secret" TEXT NOT NULL,
  "epoch" INTEGER NOT NULL DEFAULT 1,
  "failure_count" INTEGER NOT NULL DEFAULT 0,
  "last_triggered_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "leased_at" TIMESTAMPTZ(3),
  "fence" BIGINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhooks_failure_count_not_negative" CHECK ("failure_count" >= 0)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
-- Every event of a project reads it. No column that a delivery writes is in it.
CREATE INDEX "webhooks_project_id_created_at_idx" ON "webhooks" ("project_id", "created_at");
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every process caches the addresses that it delivers to. Attempts rewrite the row all the time, so
-- that only what an attempt reads is told.
CREATE TRIGGER "webhooks_changed" AFTER UPDATE ON "webhooks" FOR EACH ROW
  WHEN (old."url" <> new."url" OR old."is_active" <> new."is_active" OR old."epoch" <> new."epoch")
  EXECUTE FUNCTION "tell_credentials_changed"();
CREATE TRIGGER "webhooks_deleted" AFTER DELETE ON "webhooks"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();

-- What has happened, once for all who are told of it. An event that nobody is told of is not kept.
CREATE TABLE "events" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "subject" TEXT,
  "data" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "events_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "events_name" CHECK ("name" ~ '^[A-Za-z0-9._-]{1,100}$')
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX "events_created_at_idx" ON "events" ("created_at");

-- No foreign keys: each would cost every event a look-up and a lock, and a delivery whose webhook or
-- event is gone is never begun. Its own writes are few: one when it is emitted, one for each attempt.
CREATE TABLE "deliveries" (
  "webhook_id" TEXT NOT NULL,
  "event_id" BIGINT NOT NULL,
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "epoch" INTEGER NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending',
  "attempts" SMALLINT NOT NULL DEFAULT 0,
  "attempt_log" JSONB NOT NULL DEFAULT '[]',
  "next_attempt_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "deliveries_pkey" PRIMARY KEY ("webhook_id", "event_id"),
  CONSTRAINT "deliveries_status" CHECK ("status" IN ('pending', 'delivered', 'dropped', 'canceled')),
  CONSTRAINT "deliveries_finished" CHECK (("status" = 'pending') = ("finished_at" IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
-- What waits, by registration: first attempts in the order of events, then the retries by their time.
-- So each registration's next one is found by one look-up, however many others wait.
CREATE INDEX "deliveries_waiting_idx"
  ON "deliveries" ("webhook_id", "next_attempt_at" NULLS FIRST, "event_id") WHERE "status" = 'pending';
CREATE INDEX "deliveries_created_at_idx" ON "deliveries" ("created_at");
