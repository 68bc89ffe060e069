import type { Severity } from '../incident/finding.js';

/** How words are set off on a terminal. The plain palette returns them as they are. */
export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
  accent(text: string): string;
}

const plain: Palette = {
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  warn: (text) => text,
  bad: (text) => text,
  accent: (text) => text,
};

// ECMA-48 SGR; each style is closed by its own code, so that styles nest.
const coloured: Palette = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  warn: (text) => `\u001b[33m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  accent: (text) => `\u001b[36m${text}\u001b[39m`,
};

export function plainPalette(): Palette {
  return plain;
}

export function colouredPalette(): Palette {
  return coloured;
}

/** A severity in its colour. */
export function paintSeverity(palette: Palette, severity: Severity, text: string): string {
  if (severity === 'critical') return palette.bold(palette.bad(text));
  if (severity === 'high') return palette.bad(text);
  if (severity === 'medium') return palette.warn(text);
  if (severity === 'low') return palette.accent(text);
  return palette.dim(text);
}

const WIDE =
  /[\u1100-\u115e\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mn}|\p{Me}/u;

/** Columns that escaped text without ANSI codes takes on a terminal (Unicode TR 11, in short). */
export function displayWidth(text: string): number {
  // Most text is ASCII, and then length is width.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (COMBINING.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Cuts escaped text to `width` columns; a cut ends in `…`. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const character of text) {
    const size = displayWidth(character);
    if (used + size > width - 1) break;
    kept += character;
    used += size;
  }
  return `${kept}…`;
}

/** Breaks escaped text at spaces into lines of at most `width` columns; a longer word is broken where it must. */
export function wrap(text: string, width: number): readonly string[] {
  const limit = Math.max(8, width);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const flush = (): void => {
    lines.push(line);
    line = '';
    used = 0;
  };
  for (const word of text.split(' ')) {
    const size = displayWidth(word);
    if (used > 0 && used + 1 + size > limit) flush();
    if (used > 0) {
      line += ' ';
      used += 1;
    }
    if (size <= limit) {
      line += word;
      used += size;
      continue;
    }
    for (const character of word) {
      const columns = displayWidth(character);
      if (used + columns > limit) flush();
      line += character;
      used += columns;
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}
