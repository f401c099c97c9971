CREATE TABLE "handtools"."signups" (
	"email" text PRIMARY KEY NOT NULL,
	"cta_source" text NOT NULL,
	"referral" text,
	"referral_other" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sync_state" text NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"listmonk_id" integer
);
--> statement-breakpoint
CREATE TABLE "handtools"."used_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "used_nonces_expires_at" ON "handtools"."used_nonces" USING btree ("expires_at");