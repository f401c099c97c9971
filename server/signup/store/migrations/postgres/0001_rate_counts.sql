CREATE UNLOGGED TABLE "handtools"."rate_counts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_counts_expires_at" ON "handtools"."rate_counts" USING btree ("expires_at");