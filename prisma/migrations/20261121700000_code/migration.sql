-- One row for each project whose code somebody has looked at. Whoever writes files or makes a deployment
-- locks it. `snapshots` numbers what is built, so that of two deployments the later files win, whichever
-- is done first. `handlers` are those of what is in production.
CREATE TABLE "bots" (
  "project_id" TEXT NOT NULL,
  "last_version" INTEGER NOT NULL DEFAULT 0,
  "snapshots" BIGINT NOT NULL DEFAULT 0,
  "production_id" UUID,
  "handlers" TEXT[] NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "bots_pkey" PRIMARY KEY ("project_id")
);
ALTER TABLE "bots" ADD CONSTRAINT "bots_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The content of files by its SHA-256, shared by the files and all deployments that have it. Retention
-- removes what nothing refers to; `used_at` is when a file took it, or let it go, for the last time.
CREATE TABLE "code_blobs" (
  "project_id" TEXT NOT NULL,
  "sha256" BYTEA NOT NULL,
  "content" BYTEA NOT NULL,
  "used_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "code_blobs_pkey" PRIMARY KEY ("project_id", "sha256"),
  CONSTRAINT "code_blobs_sha256" CHECK (octet_length("sha256") = 32)
);
CREATE INDEX "code_blobs_used_at_idx" ON "code_blobs" ("used_at");

-- The dev files; those of the platform are a part of the service and not kept here.
CREATE TABLE "code_files" (
  "project_id" TEXT NOT NULL,
  "path" TEXT COLLATE "C" NOT NULL,
  "sha256" BYTEA NOT NULL,
  "encoding" TEXT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "code_files_pkey" PRIMARY KEY ("project_id", "path"),
  CONSTRAINT "code_files_encoding_known" CHECK ("encoding" IN ('utf-8', 'base64'))
);
CREATE INDEX "code_files_project_id_sha256_idx" ON "code_files" ("project_id", "sha256");
ALTER TABLE "code_files" ADD CONSTRAINT "code_files_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "bots" ("project_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "code_files" ADD CONSTRAINT "code_files_project_id_sha256_fkey"
  FOREIGN KEY ("project_id", "sha256") REFERENCES "code_blobs" ("project_id", "sha256")
  ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was built, for ever. `bundle` is the one script that runs, `source_map` tells where it comes from.
CREATE TABLE "deployments" (
  "id" UUID NOT NULL,
  "project_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "snapshot" BIGINT NOT NULL,
  "message" TEXT,
  "changes" JSONB NOT NULL,
  "bundle" TEXT NOT NULL,
  "source_map" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "deployments_project_id_id_key" ON "deployments" ("project_id", "id");
CREATE UNIQUE INDEX "deployments_project_id_version_key" ON "deployments" ("project_id", "version" DESC);
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "bots" ("project_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bots" ADD CONSTRAINT "bots_project_id_production_id_fkey"
  FOREIGN KEY ("project_id", "production_id") REFERENCES "deployments" ("project_id", "id")
  ON DELETE RESTRICT ON UPDATE CASCADE;

-- The files that a deployment was built from.
CREATE TABLE "deployment_files" (
  "deployment_id" UUID NOT NULL,
  "path" TEXT COLLATE "C" NOT NULL,
  "project_id" TEXT NOT NULL,
  "sha256" BYTEA NOT NULL,
  CONSTRAINT "deployment_files_pkey" PRIMARY KEY ("deployment_id", "path")
);
CREATE INDEX "deployment_files_project_id_sha256_idx" ON "deployment_files" ("project_id", "sha256");
ALTER TABLE "deployment_files" ADD CONSTRAINT "deployment_files_project_id_deployment_id_fkey"
  FOREIGN KEY ("project_id", "deployment_id") REFERENCES "deployments" ("project_id", "id")
  ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deployment_files" ADD CONSTRAINT "deployment_files_project_id_sha256_fkey"
  FOREIGN KEY ("project_id", "sha256") REFERENCES "code_blobs" ("project_id", "sha256")
  ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every process caches what is in production.
CREATE TRIGGER "bots_changed" AFTER UPDATE ON "bots" FOR EACH ROW
  WHEN (old."production_id" IS DISTINCT FROM new."production_id")
  EXECUTE FUNCTION "tell_credentials_changed"();
