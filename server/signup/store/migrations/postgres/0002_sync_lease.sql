ALTER TABLE "handtools"."signups" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "handtools"."signups" ADD COLUMN "failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "handtools"."signups" ADD COLUMN "failure" text;--> statement-breakpoint
CREATE INDEX "signups_pending" ON "handtools"."signups" USING btree ("email") WHERE sync_state = 'pending';