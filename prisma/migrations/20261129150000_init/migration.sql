-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "TrustPolicy" AS ENUM ('allowlist', 'open');

-- CreateEnum
CREATE TYPE "PersonalAgentOrigin" AS ENUM ('registered', 'discovered');

-- CreateEnum
CREATE TYPE "BrandRole" AS ENUM ('manager', 'viewer');

-- CreateEnum
CREATE TYPE "ProviderRole" AS ENUM ('admin', 'auditor');

-- CreateEnum
CREATE TYPE "ConversationState" AS ENUM ('open', 'closed');

-- CreateEnum
CREATE TYPE "ClosedBy" AS ENUM ('agent', 'console', 'idle');

-- CreateTable
CREATE TABLE "Provider" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "organization" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "trust" "TrustPolicy" NOT NULL DEFAULT 'allowlist',
    "limits" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RegistryRevision" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "RegistryRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PersonalAgent" (
    "id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "jwksUri" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "origin" "PersonalAgentOrigin" NOT NULL DEFAULT 'registered',
    "limits" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PersonalAgent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Brand" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "domain" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "idleHours" DOUBLE PRECISION NOT NULL DEFAULT 24,
    "delegation" JSONB,
    "agent" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Brand_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Skill" (
    "brandId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "tags" TEXT[],
    "examples" TEXT[],

    CONSTRAINT "Skill_pkey" PRIMARY KEY ("brandId","id")
);

-- CreateTable
CREATE TABLE "Scope" (
    "brandId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "description" TEXT NOT NULL,

    CONSTRAINT "Scope_pkey" PRIMARY KEY ("brandId","id")
);

-- CreateTable
CREATE TABLE "Tool" (
    "brandId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "scopeId" TEXT,
    "changes" BOOLEAN NOT NULL DEFAULT false,
    "arguments" JSONB,
    "request" JSONB NOT NULL,

    CONSTRAINT "Tool_pkey" PRIMARY KEY ("brandId","name")
);

-- CreateTable
CREATE TABLE "Conversation" (
    "id" UUID NOT NULL,
    "brandId" TEXT NOT NULL,
    "personalAgentId" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "state" "ConversationState" NOT NULL DEFAULT 'open',
    "closedAt" TIMESTAMPTZ(3),
    "closedBy" "ClosedBy",
    "agentState" JSONB NOT NULL DEFAULT '{}',
    "turnId" UUID,
    "turnUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastActiveAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Conversation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Message" (
    "id" BIGSERIAL NOT NULL,
    "brandId" TEXT NOT NULL,
    "conversationId" UUID NOT NULL,
    "messageId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replyId" UUID,
    "replyText" TEXT,
    "repliedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RefusedRequests" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "personalAgentId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "RefusedRequests_pkey" PRIMARY KEY ("hour","personalAgentId","reason")
);

-- CreateTable
CREATE TABLE "ConsoleUser" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "providerRole" "ProviderRole",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConsoleUser_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" UUID NOT NULL,
    "brandId" TEXT NOT NULL,
    "role" "BrandRole" NOT NULL,

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId","brandId")
);

-- CreateIndex
CREATE UNIQUE INDEX "PersonalAgent_issuer_key" ON "PersonalAgent"("issuer");

-- CreateIndex
CREATE UNIQUE INDEX "Brand_domain_key" ON "Brand"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "Message_conversationId_messageId_key" ON "Message"("conversationId", "messageId");

-- CreateIndex
CREATE UNIQUE INDEX "ConsoleUser_email_key" ON "ConsoleUser"("email");

-- AddForeignKey
ALTER TABLE "Skill" ADD CONSTRAINT "Skill_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Scope" ADD CONSTRAINT "Scope_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Tool" ADD CONSTRAINT "Tool_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Conversation" ADD CONSTRAINT "Conversation_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Conversation" ADD CONSTRAINT "Conversation_personalAgentId_fkey" FOREIGN KEY ("personalAgentId") REFERENCES "PersonalAgent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Message" ADD CONSTRAINT "Message_conversationId_fkey" FOREIGN KEY ("conversationId") REFERENCES "Conversation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "ConsoleUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One Provider, one revision.
ALTER TABLE "Provider" ADD CONSTRAINT "Provider_one_row" CHECK ("id" = 1);
ALTER TABLE "RegistryRevision" ADD CONSTRAINT "RegistryRevision_one_row" CHECK ("id" = 1);
INSERT INTO "RegistryRevision" ("id", "value") VALUES (1, 0);

-- What the processes keep in memory comes from these tables: every statement that changes one raises the revision.
CREATE FUNCTION "raise_registry_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "RegistryRevision" SET "value" = "value" + 1 WHERE "id" = 1;
  RETURN NULL;
END
$$;
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "Provider"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
CREATE TRIGGER "raise_registry_revision" AFTER UPDATE OR DELETE ON "PersonalAgent"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
-- Personal agents that are discovered raise nothing: strangers must not empty every process's memory.
CREATE FUNCTION "raise_registry_revision_if_registered"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "inserted" WHERE "origin" = 'registered') THEN
    UPDATE "RegistryRevision" SET "value" = "value" + 1 WHERE "id" = 1;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "raise_registry_revision_if_registered" AFTER INSERT ON "PersonalAgent"
  REFERENCING NEW TABLE AS "inserted"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision_if_registered"();
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "Brand"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "Scope"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "Skill"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "Tool"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();

-- Turns update these rows in place: the free room keeps the update on the same page, and out of the indexes.
ALTER TABLE "Conversation" SET (fillfactor = 70);
ALTER TABLE "Message" SET (fillfactor = 60);
