-- AlterTable
ALTER TABLE "Conversation" ALTER COLUMN "agentState" SET DATA TYPE JSON;
