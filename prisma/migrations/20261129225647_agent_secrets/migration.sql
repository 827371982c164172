-- AlterTable
ALTER TABLE "Tool" ADD COLUMN     "userArgument" TEXT;

-- CreateTable
CREATE TABLE "AgentSecret" (
    "brandId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AgentSecret_pkey" PRIMARY KEY ("brandId","name")
);

-- AddForeignKey
ALTER TABLE "AgentSecret" ADD CONSTRAINT "AgentSecret_brandId_fkey" FOREIGN KEY ("brandId") REFERENCES "Brand"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "raise_registry_revision" AFTER INSERT OR UPDATE OR DELETE ON "AgentSecret"
  FOR EACH STATEMENT EXECUTE FUNCTION "raise_registry_revision"();
