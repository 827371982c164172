-- DropIndex
DROP INDEX "Grant_brandId_createdAt_id_idx";

-- CreateTable
CREATE TABLE "RefusedDay" (
    "day" TIMESTAMPTZ(3) NOT NULL,
    "personalAgentId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "lastHour" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RefusedDay_pkey" PRIMARY KEY ("day","personalAgentId","reason")
);

-- CreateTable
CREATE TABLE "TrafficDay" (
    "day" TIMESTAMPTZ(3) NOT NULL,
    "brandId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "count" BIGINT NOT NULL DEFAULT 0,
    "milliseconds" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "TrafficDay_pkey" PRIMARY KEY ("day","brandId","kind")
);

-- CreateIndex
CREATE INDEX "AuditEvent_brandId_action_id_idx" ON "AuditEvent"("brandId", "action", "id");

-- CreateIndex
CREATE INDEX "Grant_brandId_createdAt_id_revokedAt_revokedBy_expiresAt_idx" ON "Grant"("brandId", "createdAt", "id", "revokedAt", "revokedBy", "expiresAt");

-- What has been counted by the hour so far.
INSERT INTO "TrafficDay" ("day", "brandId", "kind", "count", "milliseconds")
SELECT date_trunc('day', "hour", 'UTC'), "brandId", "kind", sum("count"), sum("milliseconds") FROM "TrafficHour" GROUP BY 1, 2, 3;
INSERT INTO "RefusedDay" ("day", "personalAgentId", "reason", "count", "lastHour")
SELECT date_trunc('day', "hour", 'UTC'), "personalAgentId", "reason", sum("count"), max("hour") FROM "RefusedRequests" GROUP BY 1, 2, 3;
