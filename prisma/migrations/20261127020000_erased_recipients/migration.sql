-- Once a contact is erased, its recipients have neither number nor user id.
ALTER TABLE "broadcast_recipients" DROP CONSTRAINT "broadcast_recipients_reachable";
