/** Addresses of the tool that a platform is told. */
export function toolAddresses(publicUrl: string) {
  return {
    login: `${publicUrl}/lti/login`,
    launch: `${publicUrl}/lti/launch`,
    keys: `${publicUrl}/lti/keys`,
    icon: `${publicUrl}/assets/icon.svg`,
    /** With its port: Moodle compares it with that of the target. */
    domain: new URL(publicUrl).host,
  };
}

const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope';

/** What we ask platforms for: to send scores into the columns that they keep for our links, and who is in a course. */
export const toolScopes = {
  scores: [`${AGS}/score`, `${AGS}/lineitem.readonly`],
  members: ['https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'],
} as const;

/** Sent with every launch: the links and courses that this one was copied from. */
export const toolParameters = {
  context_history: '$Context.id.history',
  link_history: '$ResourceLink.id.history',
} as const;
