-- The contacts that were joined with one are looked for before each message of a broadcast.
CREATE INDEX "joined_contacts_into_contact_id_idx" ON "joined_contacts" ("into_contact_id");
