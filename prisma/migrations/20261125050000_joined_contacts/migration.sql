-- A contact that was joined with another is gone; its ids go on leading to the other one.
CREATE TABLE "joined_contacts" (
  "contact_id" BIGINT NOT NULL,
  "project_id" TEXT NOT NULL,
  "conversation_id" BIGINT,
  "into_contact_id" BIGINT NOT NULL,
  "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "joined_contacts_pkey" PRIMARY KEY ("contact_id")
);
CREATE UNIQUE INDEX "joined_contacts_conversation_id_key" ON "joined_contacts" ("conversation_id");
