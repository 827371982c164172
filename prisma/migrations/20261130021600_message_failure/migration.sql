-- AlterTable
ALTER TABLE "Message" ADD COLUMN     "failure" TEXT;
