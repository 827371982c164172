-- AlterTable
ALTER TABLE "Brand" ADD COLUMN     "privateNetworks" BOOLEAN NOT NULL DEFAULT false;
