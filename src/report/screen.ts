import { colouredPalette, type Palette, plainPalette, wrap } from './ansi.js';
import { clip, escapeTerminal } from './escape.js';
import type { RenderOptions } from './options.js';

/** What the sections of the terminal report share: where text goes, and how much of it. */
export interface Screen {
  readonly palette: Palette;
  readonly width: number;
  readonly wide: boolean;
  /** Escaped text, wrapped behind a label that the following lines are indented to. */
  labelled(label: string, text: string): readonly string[];
}

/** Columns of the labels on the left of the first screen. */
export const LABEL_WIDTH = 11;

export function screenOf(options: RenderOptions): Screen {
  const width = Math.max(40, Math.min(options.width ?? 100, 240));
  const palette = options.color ? colouredPalette() : plainPalette();
  const labelled = (label: string, text: string): readonly string[] =>
    wrap(escapeTerminal(clip(text, 2000)), width - LABEL_WIDTH).map((line, index) =>
      index === 0 ? `${palette.bold(label.padEnd(LABEL_WIDTH))}${line}` : `${' '.repeat(LABEL_WIDTH)}${line}`,
    );
  return { palette, width, wide: options.wide ?? false, labelled };
}
