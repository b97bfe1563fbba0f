/** What is wrong with a text in Slack's markup. Whatever is not escaped is read as markup by Slack, so that foreign words could call
 *  a whole channel or lead somewhere else. Dates, people and channels are fine: only the app itself writes `<`.
 *  Source: https://docs.slack.dev/messaging/formatting-message-text. */
export function findMrkdwnProblems(text: string): string[] {
  const problems = [...text.matchAll(/<([^<>]*)>/g)].flatMap(([, inner = '']) => findTokenProblems(inner));
  const rest = text.replace(/<[^<>]*>/g, '');
  // A quotation begins a line with it.
  if (/[<>]/.test(rest.replace(/^>+/gm, ''))) problems.push('has < or > that is not escaped');
  if (/&(?!(?:amp|lt|gt);)/.test(text)) problems.push('has & that is not escaped');
  return problems;
}

function findTokenProblems(token: string): string[] {
  if (/^!date\^\d+\^[^|]+\|.+$/s.test(token)) return [];
  if (token.startsWith('!')) return [`calls everybody with <${shorten(token)}>`];
  if (/^[@#]/.test(token)) {
    return /^(?:@[UW]|#[CG])[A-Z0-9]+(?:\|[^|]*)?$/.test(token)
      ? []
      : [`mentions nobody with <${shorten(token)}>`];
  }
  return findLinkProblems(token);
}

function findLinkProblems(token: string): string[] {
  const [address = '', ...title] = token.split('|');
  if (!/^(?:https?|slack):/i.test(address) || !URL.canParse(address)) {
    return [`links to what is no http(s) or slack address: <${shorten(token)}>`];
  }
  if (/\s/.test(address)) return [`has a space in the address of a link: <${shorten(token)}>`];
  return token.includes('|') && title.join('|').trim() === '' ? ['has a link without words'] : [];
}

const shorten = (token: string) => (token.length > 80 ? `${token.slice(0, 80)}…` : token);
