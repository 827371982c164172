-- CreateTable
CREATE TABLE "AgentVersion" (
    "brandId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "published" BOOLEAN NOT NULL,
    "settings" JSONB NOT NULL,
    "savedBy" TEXT NOT NULL,
    "savedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AgentVersion_pkey" PRIMARY KEY ("brandId","number")
);

-- CreateTable
CREATE TABLE "AgentCheck" (
    "brandId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "example" JSONB NOT NULL,

    CONSTRAINT "AgentCheck_pkey" PRIMARY KEY ("brandId","name")
);

-- AddForeignKey
ALTER TABLE "AgentVersion" ADD CONSTRAINT "AgentVersion_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AgentCheck" ADD CONSTRAINT "AgentCheck_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;
