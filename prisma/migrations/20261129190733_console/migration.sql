-- AlterTable
ALTER TABLE "Brand" ADD COLUMN     "archivedAt" TIMESTAMPTZ(3),
ADD COLUMN     "maskedFor" TEXT[],
ADD COLUMN     "retentionDays" INTEGER;

-- AlterTable
ALTER TABLE "ConsoleUser" ADD COLUMN     "disabledAt" TIMESTAMPTZ(3),
ADD COLUMN     "mustChangePassword" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "name" TEXT,
ADD COLUMN     "passwordHash" TEXT,
ADD COLUMN     "sealedTotp" BYTEA,
ADD COLUMN     "totpStep" BIGINT,
ADD COLUMN     "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "Message" ADD COLUMN     "purgedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Provider" ADD COLUMN     "adminsNeedSecondFactor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "ConsoleSession" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "address" TEXT,
    "userAgent" TEXT,
    "complete" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ConsoleSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "userId" UUID NOT NULL,
    "codeHash" BYTEA NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("userId","codeHash")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "roles" JSONB NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "invitedBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "permissions" TEXT[],
    "brandId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotentAnswer" (
    "tokenId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotentAnswer_pkey" PRIMARY KEY ("tokenId","key")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT,
    "actor" TEXT NOT NULL,
    "brandId" TEXT,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "address" TEXT,
    "previousHash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TrafficHour" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "brandId" TEXT NOT NULL,
    "personalAgentId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "count" BIGINT NOT NULL DEFAULT 0,
    "milliseconds" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "TrafficHour_pkey" PRIMARY KEY ("hour","brandId","personalAgentId","kind")
);

-- CreateIndex
CREATE INDEX "ConsoleSession_userId_expiresAt_idx" ON "ConsoleSession"("userId", "expiresAt");

-- CreateIndex
CREATE INDEX "ConsoleSession_expiresAt_idx" ON "ConsoleSession"("expiresAt");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_tokenHash_key" ON "Invitation"("tokenHash");

-- CreateIndex
CREATE INDEX "Invitation_email_idx" ON "Invitation"("email");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_tokenHash_key" ON "ApiToken"("tokenHash");

-- CreateIndex
CREATE INDEX "ApiToken_userId_idx" ON "ApiToken"("userId");

-- CreateIndex
CREATE INDEX "IdempotentAnswer_createdAt_idx" ON "IdempotentAnswer"("createdAt");

-- CreateIndex
CREATE INDEX "AuditEvent_brandId_id_idx" ON "AuditEvent"("brandId", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_action_id_idx" ON "AuditEvent"("action", "id");

-- CreateIndex
CREATE INDEX "Conversation_brandId_createdAt_id_idx" ON "Conversation"("brandId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Conversation_createdAt_id_idx" ON "Conversation"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Conversation_personalAgentId_subject_idx" ON "Conversation"("personalAgentId", "subject");

-- CreateIndex
CREATE INDEX "Grant_brandId_createdAt_id_idx" ON "Grant"("brandId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Grant_createdAt_id_idx" ON "Grant"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Receipt_conversationId_idx" ON "Receipt"("conversationId");

-- AddForeignKey
ALTER TABLE "ConsoleSession" ADD CONSTRAINT "ConsoleSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "ConsoleUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "ConsoleUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "ConsoleUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "ConsoleUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The audit log only grows: whatever the product does, what is written stays as it is.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "AuditEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
