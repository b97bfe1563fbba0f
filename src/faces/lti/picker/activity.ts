import type { Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import { toOneLine } from '#domain/text';
import { locales, readLanguages } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';
import type { LtiFaceDeps } from '../deps.ts';

/** Finds the activity that a request is for, on platforms that send its title. */
export async function findPickerActivity({ placements }: Pick<LtiFaceDeps, 'placements'>, launch: Launch) {
  const title = getProductTraits(launch.product).reopensActivities ? (launch.deepLinking?.title ?? null) : null;
  return { title, placement: title === null ? null : await placements.findTitled(launch, title) };
}

/** Lists current and former names of the tool, which Moodle gives to activities without a title. */
function listToolNames({ branding }: Pick<TenantRecord, 'branding'>, publicUrl: string): string[] {
  const { translatorOf } = readLanguages();
  const keys = ['register.tool.label', 'register.tool.description'];
  const labels = locales.flatMap((locale) => keys.map((key) => translatorOf(locale)(key)));
  const { host, hostname } = new URL(publicUrl);
  return ['Skilldock', 'Learning objects', host, hostname, ...labels, branding.title].filter((name) => name !== null);
}

/** Returns a launch without titles and texts that are only a name of the tool. */
export function dropToolNames(launch: Launch, tenant: Pick<TenantRecord, 'branding'>, publicUrl: string): Launch {
  const names = new Set(listToolNames(tenant, publicUrl).map(foldActivityLine));
  const drop = (text: string | null) => (text !== null && names.has(foldActivityLine(text)) ? null : text);
  const { resourceLink: link, deepLinking: settings } = launch;
  return {
    ...launch,
    resourceLink: link && { ...link, title: drop(link.title), description: drop(link.description) },
    deepLinking: settings && { ...settings, title: drop(settings.title), text: drop(settings.text) },
  };
}

const foldActivityLine = (text: string) => toOneLine(text).toLowerCase();
