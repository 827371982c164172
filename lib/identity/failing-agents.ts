/**
 * True for a personal agent some of whose requests were refused, in the last two hours, because its JWKS could
 * not be had or is none. In SQL, of a row `p` of "PersonalAgent".
 */
export const failingCondition = `(p."enabled" AND p."id"::text IN (
  SELECT r."personalAgentId" FROM "RefusedRequests" r
  WHERE r."hour" > now() - interval '2 hours' AND r."reason" IN ('jwks_unreachable', 'jwks_invalid')))`
