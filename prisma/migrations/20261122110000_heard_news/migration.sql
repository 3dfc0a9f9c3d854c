-- What the channel has said of flows is kept there as well.
ALTER TABLE "heard_template_news" RENAME TO "heard_news";
ALTER TABLE "heard_news" RENAME CONSTRAINT "heard_template_news_pkey" TO "heard_news_pkey";
ALTER INDEX "heard_template_news_received_at_idx" RENAME TO "heard_news_received_at_idx";
