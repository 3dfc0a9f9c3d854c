-- What a bot was told that it could not do: should its run be begun again, it is told the same, for by
-- then it has done something else instead.
ALTER TABLE "bot_calls" ADD COLUMN "has_failed" BOOLEAN NOT NULL DEFAULT false;
