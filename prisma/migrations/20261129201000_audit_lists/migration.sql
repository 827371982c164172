-- AlterTable
ALTER TABLE "Provider" ADD COLUMN     "retentionDays" INTEGER;

-- CreateIndex
CREATE INDEX "AuditEvent_actor_id_idx" ON "AuditEvent"("actor", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");
