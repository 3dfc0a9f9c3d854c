-- A sample for a template's header, from its upload until a template takes it. What callers hold is a
-- secret of which only the SHA-256 is kept; the channel's own handle is sealed.
CREATE TABLE "header_samples" (
  "handle_hash" BYTEA NOT NULL,
  "project_id" TEXT NOT NULL,
  "format" TEXT NOT NULL,
  "channel_handle" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "header_samples_pkey" PRIMARY KEY ("handle_hash"),
  CONSTRAINT "header_samples_format_known" CHECK ("format" IN ('IMAGE', 'VIDEO', 'DOCUMENT'))
);
CREATE INDEX "header_samples_expires_at_idx" ON "header_samples" ("expires_at");
ALTER TABLE "header_samples" ADD CONSTRAINT "header_samples_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- `id` orders the list. `store_key` names the bytes; null once they are gone. `phone_number_id` is the
-- number that the channel's copy is bound to. `inbound_media_id` is the channel's id of a medium that a
-- customer sent, which is fetched once.
ALTER TABLE "media"
  ADD COLUMN "id" BIGSERIAL NOT NULL,
  ADD COLUMN "store_key" TEXT,
  ADD COLUMN "phone_number_id" TEXT,
  ADD COLUMN "inbound_media_id" TEXT,
  ADD CONSTRAINT "media_kind_known"
    CHECK ("kind" IN ('image', 'video', 'audio', 'document', 'sticker')),
  ADD CONSTRAINT "media_size_not_negative" CHECK ("size" >= 0);
CREATE UNIQUE INDEX "media_project_id_id_key" ON "media" ("project_id", "id" DESC);
CREATE UNIQUE INDEX "media_project_id_inbound_media_id_key" ON "media" ("project_id", "inbound_media_id");

-- Finds the message that brought a medium.
CREATE INDEX "messages_inbound_media_idx" ON "messages" ("project_id", ("media" ->> 'media_id'))
  WHERE "direction" = 'inbound' AND "media" IS NOT NULL;

-- Bytes in the store that no medium owns yet, or any more: what a crash leaves here is swept.
CREATE TABLE "loose_bytes" (
  "store_key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "loose_bytes_pkey" PRIMARY KEY ("store_key")
);
CREATE INDEX "loose_bytes_created_at_idx" ON "loose_bytes" ("created_at");

-- Who is fetching or renewing a medium now, so that nobody does it twice; lapses by itself.
CREATE TABLE "media_leases" (
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "locked_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "media_leases_pkey" PRIMARY KEY ("project_id", "name")
);
CREATE INDEX "media_leases_locked_until_idx" ON "media_leases" ("locked_until");
