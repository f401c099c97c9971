CREATE TABLE `signups` (
	`email` text PRIMARY KEY NOT NULL,
	`cta_source` text NOT NULL,
	`referral` text,
	`referral_other` text,
	`created_at` integer NOT NULL,
	`sync_state` text NOT NULL,
	`synced_at` integer,
	`listmonk_id` integer
);
--> statement-breakpoint
CREATE TABLE `used_nonces` (
	`nonce` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_nonces_expires_at` ON `used_nonces` (`expires_at`);