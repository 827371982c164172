-- CreateTable
CREATE TABLE "Refusal" (
    "personalAgentId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "issuer" TEXT NOT NULL,
    "brandId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "Refusal_pkey" PRIMARY KEY ("personalAgentId","reason","minute","issuer","brandId")
);

-- CreateIndex
CREATE INDEX "Refusal_at_idx" ON "Refusal"("at");
