/** Imports that wait until somebody lets them count, and addresses that are imported again by themselves. */
export const checkedImports = `
  ALTER TABLE imports ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE imports ADD COLUMN compared_with INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE imports ADD COLUMN origin TEXT;
  ALTER TABLE imports ADD COLUMN rhythm TEXT;
  CREATE INDEX imports_rhythmic ON imports (number) WHERE rhythm IS NOT NULL;
  UPDATE imports SET
    counts = json_set(counts, '$.warned', 0),
    rejected = (SELECT json_group_array(json_set(value, '$.isUsed', json('false'))) FROM json_each(rejected));`;
