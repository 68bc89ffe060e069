/** Who can change something. A remedy may speak to several: `Server - …. Client - ….` */
const PARTIES = ['Reconcile', 'Server', 'Gateway', 'Client', 'Proxy', 'Deployment'] as const;
type Party = (typeof PARTIES)[number];

const PARTY_START = new RegExp(`(?:^|(?<=\\. ))(${PARTIES.join('|')}) - `, 'g');

/** What each party has to do, once each and party by party, from the remedies of the findings, gravest first. */
export function byParty(remedies: readonly string[]): string[] {
  const lines = new Map<Party, Set<string>>(PARTIES.map((party) => [party, new Set()]));
  for (const remedy of remedies) {
    for (const { party, text } of parts(remedy)) lines.get(party)?.add(text);
  }
  return PARTIES.flatMap((party) => [...(lines.get(party) ?? [])].map((text) => `${party}: ${text}`));
}

function parts(remedy: string): { party: Party; text: string }[] {
  const starts = [...remedy.matchAll(PARTY_START)];
  const lead = remedy.slice(0, starts[0]?.index ?? remedy.length).trim();
  const found = starts.map((start, index) => {
    const from = start.index + start[0].length;
    return { party: start[1] as Party, text: capitalised(remedy.slice(from, starts[index + 1]?.index).trim()) };
  });
  return lead === '' ? found : [{ party: 'Reconcile', text: lead }, ...found];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
