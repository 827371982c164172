-- AlterTable
ALTER TABLE "StepUp" ADD COLUMN     "missingScopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "calls" DROP NOT NULL;

-- Those that are there for people alone are deleted with the texts of their age.
CREATE INDEX "StepUp_brandId_createdAt_readable" ON "StepUp"("brandId", "createdAt") WHERE "calls" IS NULL;
