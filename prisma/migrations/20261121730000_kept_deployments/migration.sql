-- What was built is kept for the newest versions of a project, and for the one in production. Of the others
-- the record is left: who asked for what, when, and what changed.
ALTER TABLE "deployments"
  ALTER COLUMN "bundle" DROP NOT NULL,
  ALTER COLUMN "source_map" DROP NOT NULL;
