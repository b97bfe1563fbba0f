import { z } from 'zod';
import {
  findProductOfIssuer,
  type LtiProduct,
  ltiProducts,
  type PlatformDetails,
  sharesClientId,
} from '#domain/lti/registration';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { boxField, versionField } from '../forms/fields.ts';
import { type FormState, fillForm } from '../forms/forms.ts';
import { findKnownDetails } from './known-platforms.ts';

const textField = z.string().default('');

const details = {
  name: textField,
  product: z.enum(ltiProducts, 'chooseOne'),
  issuer: textField,
  clientId: textField,
  authorizationEndpoint: textField,
  tokenEndpoint: textField,
  tokenAudience: textField.transform((text) => text.trim() || null),
  jwksUri: textField,
  acceptsNewDeployments: boxField,
};

/** The service says what is wrong with the texts. Where only the deployment tells whose launch it is, it is required. */
export const newRegistrationForm = z
  .object({ ...details, deploymentId: textField })
  .refine((typed) => typed.deploymentId.trim() !== '' || !isShared(typed), {
    path: ['deploymentId'],
    message: 'deploymentNeeded',
  })
  .transform(({ deploymentId, ...platform }) => ({
    platform: platform satisfies PlatformDetails,
    deploymentIds: deploymentId.trim() === '' ? [] : [deploymentId.trim()],
  }));

export const changedRegistrationForm = z
  .object({ ...details, version: versionField })
  .transform(({ version, ...platform }) => ({ version, platform: platform satisfies PlatformDetails }));

/** A form for a platform of a product, with what is known of those. */
export function fillProductForm(product: LtiProduct, site: string): FormState {
  const accepts = sharesClientId(product) ? {} : { acceptsNewDeployments: 'on' };
  return fillForm({ product, ...accepts, ...findKnownDetails(product, site) });
}

/** The form once more where a deployment is missing: the box that lets new ones in may have been ticked for another product. */
export function askForDeploymentInForm({ values, ...form }: FormState): FormState {
  const { acceptsNewDeployments: accepts = '', ...rest } = values;
  return { ...form, values: { ...rest, acceptsNewDeployments: form.problems.deploymentId ? '' : accepts } };
}

function isShared({ product, issuer }: Pick<PlatformDetails, 'product' | 'issuer'>): boolean {
  return [product, findProductOfIssuer(issuer.trim()) ?? product].some(sharesClientId);
}

export function fillRegistrationForm(record: LtiRegistrationRecord): FormState {
  const { name, product, issuer, clientId, authorizationEndpoint, tokenEndpoint, jwksUri } = record;
  return fillForm({
    version: String(record.version),
    name,
    product,
    issuer,
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    tokenAudience: record.tokenAudience ?? '',
    jwksUri,
    ...(record.acceptsNewDeployments && { acceptsNewDeployments: 'on' }),
  });
}

/** The service numbers the deployments; the form has one field for them. */
export function moveDeploymentFormProblem({ problems, ...form }: FormState): FormState {
  const { 'deploymentIds[0]': wrong, ...rest } = problems;
  return { ...form, problems: wrong === undefined ? rest : { ...rest, deploymentId: wrong } };
}

export function readRegistrationFormProduct(text: string | null): LtiProduct {
  return ltiProducts.find((product) => product === text) ?? 'generic';
}
