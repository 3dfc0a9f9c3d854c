-- Media of one kind are listed, too, and may be few among the others.
CREATE INDEX "media_project_id_kind_id_idx" ON "media" ("project_id", "kind", "id" DESC);
