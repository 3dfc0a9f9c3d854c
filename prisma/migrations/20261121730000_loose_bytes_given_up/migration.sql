-- The sweeper says first whose bytes it will remove, and an upload that comes late is refused them: neither
-- believes that it owns what the other one has.
ALTER TABLE "loose_bytes" ADD COLUMN "is_given_up" BOOLEAN NOT NULL DEFAULT false;
