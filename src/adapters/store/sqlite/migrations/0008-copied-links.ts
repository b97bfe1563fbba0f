/** What tells links and their copies apart, and line items that are made here. */
export const copiedLinks = `
  ALTER TABLE lti_links ADD COLUMN copied_from TEXT;
  ALTER TABLE lti_links ADD COLUMN chosen_id TEXT;
  ALTER TABLE lti_links ADD COLUMN title TEXT;
  ALTER TABLE scores ADD COLUMN new_line_item TEXT;
  CREATE INDEX lti_links_by_course ON lti_links (tenant_id, registration_id, context_id, chosen_id);
  CREATE INDEX lti_links_by_resource ON lti_links (tenant_id, registration_id, resource_link_id);`;
