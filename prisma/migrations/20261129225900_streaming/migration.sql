-- AlterTable
ALTER TABLE "Brand" ADD COLUMN     "streaming" BOOLEAN NOT NULL DEFAULT false;
