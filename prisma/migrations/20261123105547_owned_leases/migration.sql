-- Whoever asked for a lease can give it back, also when he never heard that he has it.
ALTER TABLE "media_leases" ADD COLUMN "owner" UUID;
