-- Some customers write under another number than the one that is dialled: the channel tells it once
-- something was sent to them.
CREATE INDEX "contacts_project_id_wa_id_idx" ON "contacts" ("project_id", "wa_id");
