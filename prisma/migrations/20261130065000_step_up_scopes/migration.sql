-- DropIndex
DROP INDEX "StepUp_conversationId_idx";

-- AlterTable
ALTER TABLE "StepUp" ADD COLUMN     "askedDigest" TEXT,
ADD COLUMN     "missingScopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "calls" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "StepUp_conversationId_messageId_askedDigest_key" ON "StepUp"("conversationId", "messageId", "askedDigest");

-- Those that are there for people alone are deleted with the texts of their age.
CREATE INDEX "StepUp_brandId_createdAt_readable" ON "StepUp"("brandId", "createdAt") WHERE "calls" IS NULL;
