-- All of what a status tells is kept until its message is known. Processes of the release before leave these empty.
ALTER TABLE "parked_statuses" ADD COLUMN "wa_id" TEXT,
ADD COLUMN "user_id" TEXT,
ADD COLUMN "refusal" JSONB;
