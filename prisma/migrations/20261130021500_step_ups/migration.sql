-- CreateTable
CREATE TABLE "StepUp" (
    "id" BIGSERIAL NOT NULL,
    "brandId" TEXT NOT NULL,
    "conversationId" UUID NOT NULL,
    "messageId" TEXT NOT NULL,
    "calls" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "StepUp_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "StepUp_conversationId_idx" ON "StepUp"("conversationId");

-- AddForeignKey
ALTER TABLE "StepUp" ADD CONSTRAINT "StepUp_conversationId_fkey" FOREIGN KEY ("conversationId") REFERENCES "Conversation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
