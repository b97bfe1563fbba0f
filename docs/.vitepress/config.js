// The documentation site: the same files that the host serves at /docs/guides. To see it, run the two commands of
// .github/workflows/site.yml, with `dev` in place of `build`.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const name = 'Skilldock';
const description = 'Competency and learning-object search, docked into the places where people teach and work.';

/** Pages by the person who needs them; a French page of the same name is listed in French. */
const people = [
  {
    en: 'Instructors',
    fr: 'Enseignants',
    pages: { instructors: 'Find and add resources', rights: 'Rights and accessibility' },
  },
  { en: 'Learners', fr: 'Apprenants', pages: { learners: 'Open and complete resources' } },
  { en: 'Slack users', fr: 'Utilisateurs de Slack', pages: { slack: 'Slack' } },
  {
    en: 'Administrators',
    fr: 'Administrateurs',
    pages: {
      ...{
        admin: 'The admin page',
        moodle: 'Moodle',
        canvas: 'Canvas',
        'open-edx': 'Open edX',
        lti: 'Other LTI platforms',
      },
      ...{ assistants: 'Assistants', importing: 'Importing', taxonomy: 'Your own taxonomy' },
    },
  },
  {
    en: 'Operators',
    fr: 'Exploitants',
    pages: {
      ...{
        operators: 'Running a host',
        opensearch: 'OpenSearch',
        '../configuration': 'Settings',
        '../scaling': 'Scaling',
      },
      ...{ '../upstreams': 'Upstreams', '../errors': 'Errors', '../benchmarks': 'Benchmarks' },
    },
  },
  {
    en: 'Integrators',
    fr: 'Intégrateurs',
    pages: {
      ...{ api: 'HTTP API', harvesting: 'Harvesting (OAI-PMH)', 'resource-search': 'Resource Search' },
      ...{ '../lti-conformance': 'LTI conformance' },
    },
  },
  {
    en: 'Security and accessibility',
    fr: 'Sécurité et accessibilité',
    pages: {
      ...{ '../privacy': 'Privacy', '../accessibility': 'Accessibility report', '../ai': 'What is AI here' },
      ...{
        '../security/asvs': 'ASVS 5.0',
        '../security/hecvat': 'HECVAT 4',
        '../security/threat-model': 'Threat model',
      },
    },
  },
  {
    en: 'Contributors',
    fr: 'Contributeurs',
    pages: { '../architecture': 'Architecture', '../glossary': 'Glossary', '../design-system': 'Design system' },
  },
];
const frenchPages = new Set(
  readdirSync(join(import.meta.dirname, '../guides/fr')).map((file) => file.replace(/\.md$/, '')),
);

function listSidebar(language) {
  return people.map(({ pages, ...texts }) => ({
    text: texts[language],
    items: Object.entries(pages).map(([page, text]) => {
      const folder = language === 'fr' && frenchPages.has(page) ? '/fr/guides/' : '/guides/';
      return { text, link: new URL(page, `https://site${folder}`).pathname };
    }),
  }));
}

export default {
  title: name,
  description,
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: true,
  lastUpdated: true,
  rewrites: { 'guides/fr/:page': 'fr/guides/:page' },
  // Links to files of the repository outside of docs/ lead nowhere on the site.
  ignoreDeadLinks: true,
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: listSidebar('en') } },
    fr: { label: 'Français', lang: 'fr', link: '/fr/guides/instructors', themeConfig: { sidebar: listSidebar('fr') } },
  },
  markdown: {
    // Braces in code are text; without this, Vue evaluates them and drops the page.
    config({ renderer: { rules } }) {
      const writeCode = rules.code_inline;
      rules.code_inline = (...parts) => writeCode(...parts).replace('<code', '<code v-pre');
    },
  },
  themeConfig: { search: { provider: 'local' }, outline: 'deep' },
  buildEnd({ outDir, pages }) {
    const lines = pages.map((page) => `- [${page}](${page.replace(/\.md$/, '')})`);
    writeFileSync(join(outDir, 'llms.txt'), `# ${name}\n\n> ${description}\n\n## Pages\n\n${lines.join('\n')}\n`);
  },
};
