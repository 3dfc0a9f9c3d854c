-- A name is free again once its template is deleted: what was said of that one is not said of the next.
ALTER TABLE "parked_template_statuses" ADD COLUMN "template_id" TEXT;
