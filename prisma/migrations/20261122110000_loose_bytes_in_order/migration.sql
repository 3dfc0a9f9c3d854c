-- Bytes whose removal has failed are tried again after all others, however many they are.
DROP INDEX "loose_bytes_created_at_idx";
CREATE INDEX "loose_bytes_is_given_up_created_at_idx" ON "loose_bytes" ("is_given_up", "created_at");
