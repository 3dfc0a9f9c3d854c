-- AlterTable
ALTER TABLE "channel_accounts" ADD COLUMN     "proves_app_secret" BOOLEAN NOT NULL DEFAULT false;
