-- Of a project, webhook or broadcast that statistics do not know, PostgreSQL expects no more than one row: any index
-- that begins with it then seems as good as the right one, and all its rows are read for each. By default, new
-- statistics are made once a tenth of a table has changed, so in a large one much may be unknown for long.
ALTER TABLE "contacts" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "conversations" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "messages" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "media" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "deliveries" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "broadcast_recipients" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "bot_runs" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "templates" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "flows" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "code_files" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "deployments" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
ALTER TABLE "former_media_copies" SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
