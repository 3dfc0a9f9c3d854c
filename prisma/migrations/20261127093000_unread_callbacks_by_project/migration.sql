-- CreateIndex
CREATE INDEX "unread_callbacks_project_id_id_idx" ON "unread_callbacks"("project_id", "id");
