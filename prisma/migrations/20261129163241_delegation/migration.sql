-- CreateEnum
CREATE TYPE "SigningKeyState" AS ENUM ('next', 'active', 'retired', 'removed', 'compromised');

-- CreateEnum
CREATE TYPE "DeviceAuthorizationState" AS ENUM ('pending', 'approved', 'denied', 'redeemed');

-- AlterTable
ALTER TABLE "Brand" ADD COLUMN     "rotateEveryDays" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "Conversation" ADD COLUMN     "brandUserId" TEXT;

-- AlterTable
ALTER TABLE "Message" ADD COLUMN     "receipt" JSONB;

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT NOT NULL,
    "brandId" TEXT NOT NULL,
    "state" "SigningKeyState" NOT NULL,
    "publicJwk" JSONB NOT NULL,
    "sealedPrivate" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "activatedAt" TIMESTAMPTZ(3),
    "retiredAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeviceAuthorization" (
    "id" UUID NOT NULL,
    "brandId" TEXT NOT NULL,
    "personalAgentId" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "deviceCodeHash" BYTEA NOT NULL,
    "userCodeHash" BYTEA NOT NULL,
    "requestedScopes" TEXT[],
    "state" "DeviceAuthorizationState" NOT NULL DEFAULT 'pending',
    "interval" INTEGER NOT NULL DEFAULT 5,
    "polledAt" TIMESTAMPTZ(3),
    "grantId" TEXT,
    "grantedScopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),

    CONSTRAINT "DeviceAuthorization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL,
    "brandId" TEXT NOT NULL,
    "personalAgentId" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "brandUserId" TEXT NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "notBefore" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "revokedBy" TEXT,

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConsentDecision" (
    "id" UUID NOT NULL,
    "brandId" TEXT NOT NULL,
    "deviceAuthorizationId" UUID NOT NULL,
    "brandUserId" TEXT NOT NULL,
    "grantId" TEXT,
    "approved" BOOLEAN NOT NULL,
    "shown" JSONB NOT NULL,
    "scopes" TEXT[],
    "decidedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConsentDecision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RefreshToken" (
    "tokenHash" BYTEA NOT NULL,
    "brandId" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "scopes" TEXT[],
    "issuedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RefreshToken_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "UsedAssertion" (
    "brandId" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsedAssertion_pkey" PRIMARY KEY ("brandId","jti")
);

-- CreateTable
CREATE TABLE "UserSession" (
    "tokenHash" BYTEA NOT NULL,
    "brandId" TEXT NOT NULL,
    "brandUserId" TEXT NOT NULL,
    "name" TEXT,
    "email" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UserSession_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "Receipt" (
    "id" BIGSERIAL NOT NULL,
    "brandId" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "conversationId" UUID NOT NULL,
    "messageId" TEXT NOT NULL,
    "jws" TEXT NOT NULL,
    "claims" JSONB NOT NULL,
    "issuedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Receipt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SigningKey_brandId_state_idx" ON "SigningKey"("brandId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_deviceCodeHash_key" ON "DeviceAuthorization"("deviceCodeHash");

-- CreateIndex
CREATE INDEX "DeviceAuthorization_expiresAt_idx" ON "DeviceAuthorization"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_brandId_userCodeHash_key" ON "DeviceAuthorization"("brandId", "userCodeHash");

-- CreateIndex
CREATE INDEX "Grant_brandId_brandUserId_idx" ON "Grant"("brandId", "brandUserId");

-- CreateIndex
CREATE INDEX "Grant_brandId_personalAgentId_subject_idx" ON "Grant"("brandId", "personalAgentId", "subject");

-- CreateIndex
CREATE INDEX "ConsentDecision_brandId_grantId_idx" ON "ConsentDecision"("brandId", "grantId");

-- CreateIndex
CREATE INDEX "RefreshToken_grantId_idx" ON "RefreshToken"("grantId");

-- CreateIndex
CREATE INDEX "RefreshToken_expiresAt_idx" ON "RefreshToken"("expiresAt");

-- CreateIndex
CREATE INDEX "UsedAssertion_expiresAt_idx" ON "UsedAssertion"("expiresAt");

-- CreateIndex
CREATE INDEX "UserSession_expiresAt_idx" ON "UserSession"("expiresAt");

-- CreateIndex
CREATE INDEX "Receipt_grantId_id_idx" ON "Receipt"("grantId", "id");

-- CreateIndex
CREATE INDEX "Receipt_brandId_id_idx" ON "Receipt"("brandId", "id");

-- AddForeignKey
ALTER TABLE "SigningKey" ADD CONSTRAINT "SigningKey_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeviceAuthorization" ADD CONSTRAINT "DeviceAuthorization_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConsentDecision" ADD CONSTRAINT "ConsentDecision_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RefreshToken" ADD CONSTRAINT "RefreshToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- At most one key signs, and at most one grant counts.
CREATE UNIQUE INDEX "SigningKey_active_key" ON "SigningKey" ("brandId") WHERE "state" = 'active';
CREATE UNIQUE INDEX "Grant_current_key" ON "Grant" ("brandId", "personalAgentId", "subject", "brandUserId") WHERE "revokedAt" IS NULL;

-- What processes keep in memory of keys is counted like the rest of the registry.
CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "SigningKey"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();

-- Polling updates these rows in place.
ALTER TABLE "DeviceAuthorization" SET (fillfactor = 70);
