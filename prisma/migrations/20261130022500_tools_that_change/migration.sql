-- Until now every call but a GET counted as one that changes something, whatever its tool said. Where there is nothing to
-- change, nothing is told to the processes that have read it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "Tool" WHERE NOT "changes" AND "request"->>'method' <> 'GET') THEN
    UPDATE "Tool" SET "changes" = true WHERE NOT "changes" AND "request"->>'method' <> 'GET';
  END IF;
END $$;

UPDATE "AgentVersion" SET "settings" = jsonb_set("settings", '{tools}', (
  SELECT jsonb_agg(
    CASE WHEN tool->>'changes' = 'false' AND tool->'request'->>'method' <> 'GET' THEN tool - 'changes' ELSE tool END
    ORDER BY place)
  FROM jsonb_array_elements("settings"->'tools') WITH ORDINALITY AS each(tool, place)))
WHERE jsonb_typeof("settings"->'tools') = 'array' AND "settings"->'tools' <> '[]';
