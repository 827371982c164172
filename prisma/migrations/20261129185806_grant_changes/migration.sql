-- AlterTable
ALTER TABLE "UserSession" ADD COLUMN     "loggedInAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "GrantChange" (
    "id" BIGSERIAL NOT NULL,
    "brandId" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "actor" TEXT,
    "scopesBefore" TEXT[],
    "scopesAfter" TEXT[],

    CONSTRAINT "GrantChange_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "GrantChange_brandId_grantId_id_idx" ON "GrantChange"("brandId", "grantId", "id");

-- CreateIndex
CREATE INDEX "UserSession_brandId_brandUserId_idx" ON "UserSession"("brandId", "brandUserId");

-- A history that can be rewritten is none.
CREATE FUNCTION "refuse_rewriting"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "refuse_rewriting" BEFORE UPDATE OR DELETE ON "GrantChange"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting"();
