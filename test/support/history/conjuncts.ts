/** A condition of a SELECT: `text` stands between `from` and `to`, joined to its neighbours by AND. */
export interface Conjunct {
  text: string;
  from: number;
  to: number;
}

const OPENS = /^(where|having|on|qualify)$/;
const CLOSES =
  /^(where|having|group|order|qualify|union|left|right|inner|cross|full|join|window|limit|from|select|then|else|end|when|over)$/;

interface Frame {
  opensAt: number | null;
  parts: Conjunct[];
  between: boolean;
}

/** Every condition of WHERE, HAVING, ON and QUALIFY in a text of SQL, at any depth. */
export function conjunctsOf(sql: string): Conjunct[] {
  const found: Conjunct[] = [];
  const stack: Frame[] = [{ opensAt: null, parts: [], between: false }];
  const close = (frame: Frame, at: number): void => {
    if (frame.opensAt === null) return;
    const text = sql.slice(frame.opensAt, at).trim();
    const from = sql.indexOf(text, frame.opensAt);
    if (text !== '') frame.parts.push({ text, from, to: from + text.length });
    found.push(...frame.parts);
    Object.assign(frame, { opensAt: null, parts: [], between: false });
  };
  const token = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][A-Za-z_0-9.]*|[()]|[^\sA-Za-z_'"()-]+|-/g;
  for (let match = token.exec(sql); match !== null; match = token.exec(sql)) {
    const word = match[0].toLowerCase();
    const frame = stack.at(-1) as Frame;
    if (word === '(') stack.push({ opensAt: null, parts: [], between: false });
    else if (word === ')') {
      close(frame, match.index);
      if (stack.length > 1) stack.pop();
    } else if (word === 'between') frame.between = true;
    else if (word === 'and' && frame.opensAt !== null) {
      if (frame.between) frame.between = false;
      else {
        const text = sql.slice(frame.opensAt, match.index).trim();
        const from = sql.indexOf(text, frame.opensAt);
        frame.parts.push({ text, from, to: from + text.length });
        frame.opensAt = match.index + 3;
      }
    } else if (CLOSES.test(word)) {
      close(frame, match.index);
      if (OPENS.test(word)) frame.opensAt = match.index + word.length;
    } else if (OPENS.test(word)) {
      close(frame, match.index);
      frame.opensAt = match.index + word.length;
    }
  }
  close(stack[0] as Frame, sql.length);
  return found.sort((a, b) => a.from - b.from);
}

export const without = (sql: string, { from, to }: Conjunct): string => `${sql.slice(0, from)}true${sql.slice(to)}`;
