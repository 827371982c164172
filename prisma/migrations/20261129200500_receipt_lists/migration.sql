-- CreateIndex
CREATE INDEX "RefreshToken_brandId_issuedAt_idx" ON "RefreshToken"("brandId", "issuedAt");

-- CreateIndex
CREATE INDEX "Receipt_brandId_issuedAt_id_idx" ON "Receipt"("brandId", "issuedAt", "id");

-- CreateIndex
CREATE INDEX "Receipt_issuedAt_id_idx" ON "Receipt"("issuedAt", "id");

-- CreateIndex
CREATE INDEX "Receipt_claims_idx" ON "Receipt" USING GIN ("claims" jsonb_path_ops);
