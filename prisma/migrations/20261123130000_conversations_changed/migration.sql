-- What changed since then is found and put in order by the index alone, of which only what is shown is read. Its
-- pages are known to be up to date for as long as they are vacuumed now and then.
CREATE INDEX "conversations_changed_idx" ON "conversations" ("project_id", "updated_at")
  INCLUDE ("last_activity_at", "id", "state");
DROP INDEX "conversations_project_id_updated_at_idx";
