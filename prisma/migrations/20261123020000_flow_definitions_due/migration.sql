-- Whoever moves a flow's status elsewhere may have edited it before: its definition is to be read again.
ALTER TABLE "flows" ADD COLUMN "definition_due" BOOLEAN NOT NULL DEFAULT false;
