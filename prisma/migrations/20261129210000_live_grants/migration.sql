-- CreateIndex
CREATE INDEX "Grant_subject_idx" ON "Grant"("subject");

-- CreateIndex
CREATE INDEX "Grant_brandUserId_idx" ON "Grant"("brandUserId");

-- What has not ended, in the order in which batches end it. Turns change neither a conversation's state nor these columns.
CREATE INDEX "Grant_brandId_id_unrevoked" ON "Grant"("brandId", "id") WHERE "revokedAt" IS NULL;
CREATE INDEX "Grant_personalAgentId_unrevoked" ON "Grant"("personalAgentId") WHERE "revokedAt" IS NULL;
CREATE INDEX "Conversation_brandId_id_open" ON "Conversation"("brandId", "id") WHERE "state" = 'open';

-- Grants whose refresh token came twice: few.
CREATE INDEX "Grant_notBefore_reused" ON "Grant"("notBefore") WHERE "notBefore" IS NOT NULL;
