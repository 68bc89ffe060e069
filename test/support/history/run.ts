import { join } from 'node:path';
import { analyzeFiles } from '../../../src/cli/analyze-files.js';
import { type Answer, differences } from './compare.js';
import { withFolder } from './folder.js';
import { judge } from './judge.js';
import type { Expected, InputKind } from './seen.js';
import type { WireHistory } from './wire.js';
import { visible, writeCapture } from './write.js';

export interface Disagreement {
  seed: number;
  profile: string;
  injected: readonly string[];
  missing: readonly string[];
  extra: readonly string[];
}

interface Judged {
  history: WireHistory;
  expected: Expected[];
  names: ReadonlySet<string>;
  answers: Answer[];
}

function prepare(history: WireHistory, kind: InputKind): Judged {
  const seen = visible(history, kind);
  const names = new Set(seen.flatMap((x) => [x.requestSession, x.responseSession]).filter((id) => id !== null));
  return { history, expected: judge(kind, seen), names, answers: [] };
}

/**
 * Judges histories twice, by the product (all of them in one run) and by brute force, and says where the two differ.
 * Findings that name no session are told apart by the file of their evidence.
 */
export async function disagreements(histories: readonly WireHistory[], kind: InputKind): Promise<Disagreement[]> {
  return withFolder(async (root) => {
    const judged = histories.map((history) => prepare(history, kind));
    const paths = histories.flatMap((history) => writeCapture(history, kind, join(root, `h${history.seed}-x`)));
    const document = await analyzeFiles(paths, { reveal: true });
    const broken = document.detectors.filter(({ status }) => status === 'error');
    if (broken.length > 0) throw new Error(broken.map(({ id, reason }) => `${id}: ${reason}`).join('\n'));
    for (const finding of document.findings) {
      const home =
        judged.find(({ names }) => finding.sessions.some((id) => names.has(id))) ??
        judged.find(({ history }) => finding.evidence.some(({ source }) => source.includes(`/h${history.seed}-x/`)));
      home?.answers.push(finding);
    }
    return judged
      .map(({ history, expected, answers }) => ({
        seed: history.seed,
        profile: history.profile,
        injected: history.injected.map(({ fault }) => fault),
        ...differences(expected, answers),
      }))
      .filter(({ missing, extra }) => missing.length + extra.length > 0);
  });
}
