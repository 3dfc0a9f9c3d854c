-- CreateIndex
CREATE INDEX "channel_accounts_app_id_idx" ON "channel_accounts"("app_id");
