import type { Launch } from '#domain/lti/launch';
import { locales, readLanguages } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';

/** The names of the tool in platforms, in every language, and its former name. Moodle uses the name
 *  as the title of a place without one. */
function listToolNames({ branding }: Pick<TenantRecord, 'branding'>, publicUrl: string): string[] {
  const { translatorOf } = readLanguages();
  const words = ['register.tool.label', 'register.tool.description'];
  const said = locales.flatMap((locale) => words.map((key) => translatorOf(locale)(key)));
  const { host, hostname } = new URL(publicUrl);
  return [
    'Skilldock',
    'Learning objects',
    host,
    hostname,
    ...said,
    ...(branding.title === null ? [] : [branding.title]),
  ];
}

/** The launch without titles and texts that only say which tool it is: they tell nothing of the course. */
export function dropToolNames(
  launch: Launch,
  tenant: Pick<TenantRecord, 'branding'>,
  publicUrl: string,
): Launch {
  const names = new Set(listToolNames(tenant, publicUrl).map(fold));
  const keep = (text: string | null) => (text !== null && names.has(fold(text)) ? null : text);
  const { resourceLink: link, deepLinking: asked } = launch;
  return {
    ...launch,
    resourceLink: link && { ...link, title: keep(link.title), description: keep(link.description) },
    deepLinking: asked && { ...asked, title: keep(asked.title), text: keep(asked.text) },
  };
}

const fold = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
