CREATE TABLE "projects" (
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active',
  "daily_send_quota" INTEGER,
  "credits" INTEGER,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "projects_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "projects_status_known" CHECK ("status" IN ('active', 'paused', 'deleted')),
  CONSTRAINT "projects_credits_not_negative" CHECK ("credits" >= 0)
);

-- Project ids are matched case-insensitively, so two may not differ in case alone.
CREATE UNIQUE INDEX "projects_id_folded" ON "projects" (lower("id"));

CREATE TABLE "api_keys" (
  "id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "scopes" TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "rotated_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys" ("secret_hash");
CREATE INDEX "api_keys_project_id_idx" ON "api_keys" ("project_id");

CREATE TABLE "connections" (
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "default_project_id" TEXT,
  "expires_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "connections_token_hash_key" ON "connections" ("token_hash");

CREATE TABLE "connection_grants" (
  "connection_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "scopes" TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "connection_grants_pkey" PRIMARY KEY ("connection_id", "project_id")
);

CREATE TABLE "channel_accounts" (
  "project_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "phone_number_id" TEXT NOT NULL,
  "business_account_id" TEXT NOT NULL,
  "app_id" TEXT NOT NULL,
  "display_phone_number" TEXT NOT NULL,
  "api_url" TEXT,
  "access_token" TEXT NOT NULL,
  "app_secret" TEXT NOT NULL,
  "verify_token" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "channel_accounts_pkey" PRIMARY KEY ("project_id"),
  CONSTRAINT "channel_accounts_kind_known" CHECK ("kind" IN ('cloud', 'sandbox'))
);
CREATE INDEX "channel_accounts_phone_number_id_idx" ON "channel_accounts" ("phone_number_id");

CREATE TABLE "contacts" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "phone" TEXT,
  "wa_id" TEXT,
  "match_key" TEXT,
  "user_id" TEXT,
  "name" TEXT,
  "profile_name" TEXT,
  "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "attributes" JSONB NOT NULL DEFAULT '{}',
  "opted_in" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "contacts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "contacts_reachable" CHECK ("phone" IS NOT NULL OR "user_id" IS NOT NULL)
);
CREATE UNIQUE INDEX "contacts_project_id_match_key_key" ON "contacts" ("project_id", "match_key");
CREATE UNIQUE INDEX "contacts_project_id_user_id_key" ON "contacts" ("project_id", "user_id");
CREATE INDEX "contacts_project_id_id_idx" ON "contacts" ("project_id", "id" DESC);
CREATE INDEX "contacts_tags_idx" ON "contacts" USING GIN ("tags");

-- Conversations are rewritten by every message; room on the page keeps the versions together.
CREATE TABLE "conversations" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "contact_id" BIGINT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'unstructured',
  "last_message_id" BIGINT,
  "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
  "last_inbound_at" TIMESTAMPTZ(3),
  "unread_count" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX "conversations_contact_id_key" ON "conversations" ("contact_id");
CREATE INDEX "conversations_project_id_last_activity_at_id_idx"
  ON "conversations" ("project_id", "last_activity_at" DESC, "id" DESC);
CREATE INDEX "conversations_project_id_state_last_activity_at_id_idx"
  ON "conversations" ("project_id", "state", "last_activity_at" DESC, "id" DESC);
CREATE INDEX "conversations_project_id_updated_at_idx" ON "conversations" ("project_id", "updated_at");

CREATE TABLE "conversation_states" (
  "project_id" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  CONSTRAINT "conversation_states_pkey" PRIMARY KEY ("project_id", "state")
);

-- A message is rewritten up to three times by its statuses.
CREATE TABLE "messages" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "conversation_id" BIGINT NOT NULL,
  "contact_id" BIGINT NOT NULL,
  "wamid" TEXT NOT NULL,
  "attempt_id" UUID,
  "direction" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "content" TEXT,
  "status" TEXT NOT NULL,
  "error" JSONB,
  "template" JSONB,
  "media" JSONB,
  "payload" JSONB,
  "reply_to" TEXT,
  "client_ref" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "sent_at" TIMESTAMPTZ(3),
  "delivered_at" TIMESTAMPTZ(3),
  "read_at" TIMESTAMPTZ(3),
  "failed_at" TIMESTAMPTZ(3),
  CONSTRAINT "messages_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "messages_direction_known" CHECK ("direction" IN ('inbound', 'outbound')),
  CONSTRAINT "messages_status_known"
    CHECK ("status" IN ('received', 'sent', 'delivered', 'read', 'failed'))
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX "messages_attempt_id_key" ON "messages" ("attempt_id");
CREATE UNIQUE INDEX "messages_project_id_wamid_key" ON "messages" ("project_id", "wamid");
CREATE INDEX "messages_conversation_id_id_idx" ON "messages" ("conversation_id", "id" DESC);

CREATE TABLE "send_attempts" (
  "id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "conversation_id" BIGINT NOT NULL,
  "contact_id" BIGINT NOT NULL,
  "message" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "send_attempts_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX "send_attempts_created_at_idx" ON "send_attempts" ("created_at");

CREATE TABLE "parked_statuses" (
  "project_id" TEXT NOT NULL,
  "wamid" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "error" JSONB,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "parked_statuses_pkey" PRIMARY KEY ("project_id", "wamid", "status")
);
CREATE INDEX "parked_statuses_received_at_idx" ON "parked_statuses" ("received_at");

CREATE TABLE "unread_callbacks" (
  "id" BIGSERIAL NOT NULL,
  "project_id" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "unread_callbacks_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "unread_callbacks_received_at_idx" ON "unread_callbacks" ("received_at");

CREATE TABLE "service_settings" (
  "name" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  CONSTRAINT "service_settings_pkey" PRIMARY KEY ("name")
);

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "connections" ADD CONSTRAINT "connections_default_project_id_fkey"
  FOREIGN KEY ("default_project_id") REFERENCES "projects" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "connection_grants" ADD CONSTRAINT "connection_grants_connection_id_fkey"
  FOREIGN KEY ("connection_id") REFERENCES "connections" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "connection_grants" ADD CONSTRAINT "connection_grants_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "channel_accounts" ADD CONSTRAINT "channel_accounts_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_fkey"
  FOREIGN KEY ("contact_id") REFERENCES "contacts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "conversation_states" ADD CONSTRAINT "conversation_states_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_fkey"
  FOREIGN KEY ("conversation_id") REFERENCES "conversations" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every process caches the credentials it has seen. Whoever changes one, by whatever way, tells them
-- all in the same transaction, so that a revoked key stops working everywhere at once.
CREATE FUNCTION "tell_credentials_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('credentials_changed', '');
  RETURN NULL;
END $$;

CREATE TRIGGER "api_keys_changed" AFTER UPDATE OR DELETE ON "api_keys"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();
CREATE TRIGGER "connections_changed" AFTER UPDATE OR DELETE ON "connections"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();
CREATE TRIGGER "connection_grants_changed" AFTER INSERT OR UPDATE OR DELETE ON "connection_grants"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();
CREATE TRIGGER "projects_changed" AFTER UPDATE OF "name", "status", "daily_send_quota" ON "projects"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();
CREATE TRIGGER "channel_accounts_changed" AFTER INSERT OR UPDATE OR DELETE ON "channel_accounts"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_credentials_changed"();
