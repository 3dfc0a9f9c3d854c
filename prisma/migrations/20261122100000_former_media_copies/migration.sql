-- Copies that the channel had of a medium before it was uploaded afresh: a send may still name one.
CREATE TABLE "former_media_copies" (
  "project_id" TEXT NOT NULL,
  "media_id" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "phone_number_id" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "former_media_copies_pkey" PRIMARY KEY ("project_id", "media_id")
);
CREATE INDEX "former_media_copies_project_id_slug_idx" ON "former_media_copies" ("project_id", "slug");
CREATE INDEX "former_media_copies_expires_at_idx" ON "former_media_copies" ("expires_at");
ALTER TABLE "former_media_copies" ADD CONSTRAINT "former_media_copies_project_id_slug_fkey"
  FOREIGN KEY ("project_id", "slug") REFERENCES "media" ("project_id", "slug")
  ON DELETE CASCADE ON UPDATE CASCADE;
