-- What the channel has said of templates, for as long as it may say it again. Its instants are whole
-- seconds: they do not tell what is repeated from what is new within the same one.
CREATE TABLE "heard_template_news" (
  "project_id" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "heard_template_news_pkey" PRIMARY KEY ("project_id", "digest")
);
CREATE INDEX "heard_template_news_received_at_idx" ON "heard_template_news" ("received_at");
