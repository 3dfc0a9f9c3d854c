-- When nobody in a broadcast is to be retargeted, its failed recipients are not gone through again before one
-- of its recipients has moved, which writes "updated_at": the same time as then.
ALTER TABLE "broadcasts" ADD COLUMN "retarget_looked_at" TIMESTAMPTZ(3);
