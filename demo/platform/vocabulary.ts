/** Names of LTI Advantage that both sides write letter by letter. Source: LTI 1.3 Core, Deep
 *  Linking 2.0, AGS 2.0, NRPS 2.0, PNS 1.0. */

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim';
const GRADING_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope';

export const claim = {
  messageType: `${LTI}/message_type`,
  version: `${LTI}/version`,
  deploymentId: `${LTI}/deployment_id`,
  targetLinkUri: `${LTI}/target_link_uri`,
  roles: `${LTI}/roles`,
  context: `${LTI}/context`,
  resourceLink: `${LTI}/resource_link`,
  toolPlatform: `${LTI}/tool_platform`,
  presentation: `${LTI}/launch_presentation`,
  custom: `${LTI}/custom`,
  notices: `${LTI}/platformnotificationservice`,
  notice: `${LTI}/notice`,
  originContexts: `${LTI}/origin_contexts`,
  deepLinkingSettings: `${DEEP_LINKING}/deep_linking_settings`,
  contentItems: `${DEEP_LINKING}/content_items`,
  data: `${DEEP_LINKING}/data`,
  message: `${DEEP_LINKING}/msg`,
  errorMessage: `${DEEP_LINKING}/errormsg`,
  grading: 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
  memberships: 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
} as const;

export const scope = {
  lineItem: `${GRADING_SCOPE}/lineitem`,
  lineItemReadonly: `${GRADING_SCOPE}/lineitem.readonly`,
  score: `${GRADING_SCOPE}/score`,
  results: `${GRADING_SCOPE}/result.readonly`,
  memberships: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
  noticeHandlers: 'https://purl.imsglobal.org/spec/lti/scope/noticehandlers',
} as const;

export const gradingScopes: readonly string[] = [scope.lineItem, scope.lineItemReadonly, scope.score, scope.results];
export const allScopes: readonly string[] = [...gradingScopes, scope.memberships, scope.noticeHandlers];

export const mediaType = {
  lineItem: 'application/vnd.ims.lis.v2.lineitem+json',
  lineItems: 'application/vnd.ims.lis.v2.lineitemcontainer+json',
  score: 'application/vnd.ims.lis.v1.score+json',
  results: 'application/vnd.ims.lis.v2.resultcontainer+json',
  memberships: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
} as const;
