-- A saved audience. A broadcast keeps the filter that the segment had when it was created, so a segment
-- may change or go at any time.
CREATE TABLE "segments" (
  "id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "filter" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "segments_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "segments_project_id_created_at_id_idx"
  ON "segments" ("project_id", "created_at" DESC, "id" DESC);
ALTER TABLE "segments" ADD CONSTRAINT "segments_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One template to many contacts. The counters are kept by the statements that move recipients, so that
-- a page of recipients knows its total without counting; they add up after each statement or it fails.
-- `started_at` is when the audience was frozen into recipients; until then nothing is counted.
CREATE TABLE "broadcasts" (
  "id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "template_name" TEXT NOT NULL,
  "template_language" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "segment_id" UUID,
  "filter" JSONB NOT NULL,
  "template_variables" JSONB NOT NULL,
  "header" JSONB,
  "status" TEXT NOT NULL DEFAULT 'pending_approval',
  "failure_reason" TEXT,
  "created_by" TEXT NOT NULL,
  "creator_name" TEXT NOT NULL,
  "creator_email" TEXT,
  "scheduled_at" TIMESTAMPTZ(3),
  "approved_at" TIMESTAMPTZ(3),
  "approved_by" TEXT,
  "approval_digest" BYTEA,
  "started_at" TIMESTAMPTZ(3),
  "completed_at" TIMESTAMPTZ(3),
  "wave_size" INTEGER,
  "wave_scheduled_at" TIMESTAMPTZ(3),
  "wave_scheduled_count" INTEGER,
  "auto_retarget_quality" BOOLEAN NOT NULL DEFAULT false,
  "retarget_parent_id" UUID,
  "retarget_count" INTEGER NOT NULL DEFAULT 0,
  "total" INTEGER NOT NULL DEFAULT 0,
  "queued" INTEGER NOT NULL DEFAULT 0,
  "sent" INTEGER NOT NULL DEFAULT 0,
  "delivered" INTEGER NOT NULL DEFAULT 0,
  "read" INTEGER NOT NULL DEFAULT 0,
  "failed" INTEGER NOT NULL DEFAULT 0,
  "canceled" INTEGER NOT NULL DEFAULT 0,
  "held" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "broadcasts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "broadcasts_category_known"
    CHECK ("category" IN ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  CONSTRAINT "broadcasts_status_known" CHECK ("status" IN
    ('pending_approval', 'scheduled', 'sending', 'completed', 'canceled', 'failed')),
  CONSTRAINT "broadcasts_counts_add_up" CHECK
    ("total" = "queued" + "sent" + "delivered" + "read" + "failed" + "canceled" + "held"),
  CONSTRAINT "broadcasts_counts_not_negative"
    CHECK (LEAST("queued", "sent", "delivered", "read", "failed", "canceled", "held") >= 0),
  -- Nothing is sent that nobody has approved.
  CONSTRAINT "broadcasts_approved_first" CHECK ("approval_digest" IS NOT NULL
    OR ("status" IN ('pending_approval', 'canceled') AND "started_at" IS NULL)),
  CONSTRAINT "broadcasts_approved_whole" CHECK
    (num_nulls("approved_at", "approved_by", "approval_digest") IN (0, 3)),
  CONSTRAINT "broadcasts_wave_positive" CHECK ("wave_size" > 0 AND "wave_scheduled_count" > 0),
  CONSTRAINT "broadcasts_retarget_once" CHECK ("retarget_count" IN (0, 1))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX "broadcasts_project_id_created_at_id_idx"
  ON "broadcasts" ("project_id", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "broadcasts_retarget_parent_id_key" ON "broadcasts" ("retarget_parent_id");
-- What the jobs look for: those that wait for their time, and those that are being sent.
CREATE INDEX "broadcasts_due_idx" ON "broadcasts" ("scheduled_at") WHERE "status" = 'scheduled';
CREATE INDEX "broadcasts_sending_idx" ON "broadcasts" ("wave_scheduled_at") WHERE "status" = 'sending';
CREATE INDEX "broadcasts_retarget_idx" ON "broadcasts" ("completed_at")
  WHERE "status" = 'completed' AND "auto_retarget_quality" AND "retarget_count" = 0;
ALTER TABLE "broadcasts" ADD CONSTRAINT "broadcasts_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "broadcasts" ADD CONSTRAINT "broadcasts_retarget_parent_id_fkey"
  FOREIGN KEY ("retarget_parent_id") REFERENCES "broadcasts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One contact of a broadcast. `seq` is dense, 1 to the total, so that an offset is a range of the key.
-- A recipient on its way out is `queued` still: leased until `lease_until`, and from `dispatched_at` on
-- perhaps at the channel. Whoever changes recipients locks their broadcast first; nothing refers from
-- here, for 100,000 rows are written in one statement that reads what they would refer to.
CREATE TABLE "broadcast_recipients" (
  "broadcast_id" UUID NOT NULL,
  "seq" INTEGER NOT NULL,
  "project_id" TEXT NOT NULL,
  "contact_id" BIGINT NOT NULL,
  "phone" TEXT,
  "user_id" TEXT,
  "name" TEXT,
  "status" TEXT NOT NULL DEFAULT 'queued',
  "held" BOOLEAN NOT NULL DEFAULT false,
  "fence" INTEGER NOT NULL DEFAULT 0,
  "lease_until" TIMESTAMPTZ(3),
  "dispatched_at" TIMESTAMPTZ(3),
  "attempt_id" UUID,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "retry_at" TIMESTAMPTZ(3),
  "wamid" TEXT,
  "error" JSONB,
  "queued_at" TIMESTAMPTZ(3),
  "sent_at" TIMESTAMPTZ(3),
  "delivered_at" TIMESTAMPTZ(3),
  "read_at" TIMESTAMPTZ(3),
  "failed_at" TIMESTAMPTZ(3),
  CONSTRAINT "broadcast_recipients_pkey" PRIMARY KEY ("broadcast_id", "seq"),
  CONSTRAINT "broadcast_recipients_reachable" CHECK ("phone" IS NOT NULL OR "user_id" IS NOT NULL),
  CONSTRAINT "broadcast_recipients_status_known"
    CHECK ("status" IN ('queued', 'sent', 'delivered', 'read', 'failed', 'canceled')),
  CONSTRAINT "broadcast_recipients_held_waits" CHECK (NOT "held" OR "status" = 'queued')
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE UNIQUE INDEX "broadcast_recipients_broadcast_id_contact_id_key"
  ON "broadcast_recipients" ("broadcast_id", "contact_id");
CREATE UNIQUE INDEX "broadcast_recipients_attempt_id_key" ON "broadcast_recipients" ("attempt_id");
CREATE INDEX "broadcast_recipients_broadcast_id_status_seq_idx"
  ON "broadcast_recipients" ("broadcast_id", "status", "seq");
-- Whom workers look for: what is behind them is never read again.
CREATE INDEX "broadcast_recipients_waiting_idx" ON "broadcast_recipients" ("broadcast_id", "seq")
  WHERE "status" = 'queued' AND NOT "held" AND "dispatched_at" IS NULL;
-- Those that may be at the channel: few at any time.
CREATE INDEX "broadcast_recipients_underway_idx" ON "broadcast_recipients" ("contact_id")
  WHERE "status" = 'queued' AND "dispatched_at" IS NOT NULL;
CREATE INDEX "broadcast_recipients_held_idx" ON "broadcast_recipients" ("broadcast_id", "seq")
  WHERE "held";

-- How fast a number sends, all workers together: the next message may leave at `next_at`, and none
-- before `closed_until`, which the channel's refusals move.
CREATE TABLE "channel_paces" (
  "phone_number_id" TEXT NOT NULL,
  "next_at" TIMESTAMPTZ(6) NOT NULL,
  "closed_until" TIMESTAMPTZ(3),
  "closings" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "channel_paces_pkey" PRIMARY KEY ("phone_number_id")
) WITH (fillfactor = 50);

-- Who let a broadcast go, and what exactly they let go.
CREATE TABLE "broadcast_audits" (
  "id" BIGSERIAL NOT NULL,
  "broadcast_id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "digest" BYTEA,
  "details" JSONB NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "broadcast_audits_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "broadcast_audits_action_known"
    CHECK ("action" IN ('approved', 'released', 'canceled', 'failed', 'retargeted'))
);
CREATE INDEX "broadcast_audits_broadcast_id_id_idx" ON "broadcast_audits" ("broadcast_id", "id");
ALTER TABLE "broadcast_audits" ADD CONSTRAINT "broadcast_audits_broadcast_id_fkey"
  FOREIGN KEY ("broadcast_id") REFERENCES "broadcasts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What audiences are filtered by, beside tags and numbers, which have theirs.
CREATE INDEX "contacts_attributes_idx" ON "contacts" USING GIN ("attributes" jsonb_path_ops);
CREATE INDEX "contacts_project_id_created_at_idx" ON "contacts" ("project_id", "created_at");
