-- CreateTable
CREATE TABLE "LoginKeysLook" (
    "brandId" TEXT NOT NULL,
    "jwksUri" TEXT NOT NULL,
    "fault" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LoginKeysLook_pkey" PRIMARY KEY ("brandId")
);
