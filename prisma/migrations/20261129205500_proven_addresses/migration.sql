-- AlterTable
ALTER TABLE "ConsoleUser" ADD COLUMN     "addressProvenAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN     "mailedAt" TIMESTAMPTZ(3);

-- Whoever has a role at the Provider was trusted with it.
UPDATE "ConsoleUser" SET "addressProvenAt" = "createdAt" WHERE "providerRole" IS NOT NULL;
