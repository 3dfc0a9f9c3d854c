-- Of a project, webhook or broadcast that statistics do not know, PostgreSQL expects no more than one row: any index
-- that begins with it then seems as good as the right one, and all its rows are read for each. By default, new
-- statistics are made once a tenth of a table has changed, so in a large one much may be unknown for long.
DO $$
DECLARE "name" TEXT;
BEGIN
  FOREACH "name" IN ARRAY ARRAY['contacts', 'conversations', 'messages', 'media', 'deliveries', 'broadcast_recipients',
    'bot_runs', 'templates', 'flows', 'code_files', 'deployments', 'former_media_copies'] LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000)',
      "name");
  END LOOP;
END $$;
