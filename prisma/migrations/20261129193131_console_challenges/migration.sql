-- AlterTable
ALTER TABLE "ConsoleSession" ADD COLUMN     "challenge" TEXT;
