ALTER TABLE `signups` ADD `leased_until` integer;--> statement-breakpoint
ALTER TABLE `signups` ADD `failed_at` integer;--> statement-breakpoint
ALTER TABLE `signups` ADD `failure` text;--> statement-breakpoint
CREATE INDEX `signups_pending` ON `signups` (`email`) WHERE sync_state = 'pending';