-- Whom workers look for, and who is held, in an order that the primary key does not have, though it is the same:
-- where these indexes had grown, PostgreSQL went through the primary key instead, past all who had been sent to.
CREATE INDEX "broadcast_recipients_queue_idx"
  ON "broadcast_recipients" ("broadcast_id", "seq" NULLS FIRST)
  WHERE "status" = 'queued' AND NOT "held" AND "dispatched_at" IS NULL;
DROP INDEX "broadcast_recipients_waiting_idx";
CREATE INDEX "broadcast_recipients_held_queue_idx"
  ON "broadcast_recipients" ("broadcast_id", "seq" NULLS FIRST)
  WHERE "held";
DROP INDEX "broadcast_recipients_held_idx";
