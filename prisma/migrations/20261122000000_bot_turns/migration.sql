-- A project's conversations are gone through one by one, each by its first run, when its oldest runs are
-- all of a few conversations. It finds what is before a run in its conversation, too.
CREATE INDEX "bot_runs_project_id_conversation_id_id_idx"
  ON "bot_runs" ("project_id", "conversation_id", "id");
DROP INDEX "bot_runs_conversation_id_id_idx";
