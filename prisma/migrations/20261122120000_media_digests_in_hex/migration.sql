-- A digest is told in hex, and is since callbacks are read so. Earlier ones are as the channel wrote them, in
-- base64: of a customer's file, and of what an edit has put another one in the place of.
UPDATE "messages"
   SET "media" = jsonb_set("media", '{sha256}',
         to_jsonb(encode(decode("media" ->> 'sha256', 'base64'), 'hex')))
 WHERE "direction" = 'inbound' AND "media" ->> 'sha256' ~ '^[A-Za-z0-9+/]{43}=$';

UPDATE "messages" m
   SET "payload" = jsonb_set(m."payload", '{edits}', (
         SELECT jsonb_agg(
           CASE WHEN e."edit" #>> '{media,sha256}' ~ '^[A-Za-z0-9+/]{43}=$'
             THEN jsonb_set(e."edit", '{media,sha256}',
                    to_jsonb(encode(decode(e."edit" #>> '{media,sha256}', 'base64'), 'hex')))
             ELSE e."edit" END
           ORDER BY e."place")
         FROM jsonb_array_elements(m."payload" -> 'edits') WITH ORDINALITY AS e ("edit", "place")))
 WHERE m."direction" = 'inbound' AND jsonb_typeof(m."payload" -> 'edits') = 'array'
   AND jsonb_path_exists(m."payload", '$.edits[*].media.sha256 ? (@ like_regex "^[A-Za-z0-9+/]{43}=$")');
