-- CreateIndex
CREATE INDEX "Conversation_subject_idx" ON "Conversation"("subject");

-- CreateIndex
CREATE INDEX "Conversation_brandUserId_idx" ON "Conversation"("brandUserId");

-- What a Brand's retention time has still to delete: of messages without texts nothing stays in it.
CREATE INDEX "Message_brandId_receivedAt_kept" ON "Message"("brandId", "receivedAt") WHERE "purgedAt" IS NULL;
