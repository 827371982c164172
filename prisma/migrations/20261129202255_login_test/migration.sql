-- CreateTable
CREATE TABLE "LoginTest" (
    "userCodeHash" BYTEA NOT NULL,
    "brandId" TEXT NOT NULL,
    "startedBy" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "arrivedAt" TIMESTAMPTZ(3),
    "checks" JSONB,

    CONSTRAINT "LoginTest_pkey" PRIMARY KEY ("userCodeHash")
);

-- CreateIndex
CREATE INDEX "LoginTest_expiresAt_idx" ON "LoginTest"("expiresAt");
