/** In SQL: adds up what tests and benchmarks stored by the hour, as if it had been counted on those days. Again: anew. */
export const sumDays = [
  `INSERT INTO "TrafficDay" ("day", "brandId", "kind", "count", "milliseconds")
  SELECT date_trunc('day', "hour", 'UTC'), "brandId", "kind", sum("count"), sum("milliseconds") FROM "TrafficHour" GROUP BY 1, 2, 3
  ON CONFLICT ("day", "brandId", "kind") DO UPDATE SET "count" = EXCLUDED."count", "milliseconds" = EXCLUDED."milliseconds"`,
  `INSERT INTO "RefusedDay" ("day", "personalAgentId", "reason", "count", "lastHour")
  SELECT date_trunc('day', "hour", 'UTC'), "personalAgentId", "reason", sum("count"), max("hour") FROM "RefusedRequests" GROUP BY 1, 2, 3
  ON CONFLICT ("day", "personalAgentId", "reason") DO UPDATE SET "count" = EXCLUDED."count", "lastHour" = EXCLUDED."lastHour"`,
] as const
