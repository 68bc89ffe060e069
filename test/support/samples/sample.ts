import type { Expectation } from '../../../src/detect/samples.js';

/** A labelled capture: what lies in one folder of `samples/detectors`. */
export interface MadeSample {
  readonly detector: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly label: {
    readonly inputs: readonly string[];
    readonly expect: readonly Expectation[];
    readonly forbid: readonly string[];
    readonly note: string;
  };
}

type Files = Readonly<Record<string, string>>;

/** The samples of one detector. */
export class Samples {
  readonly made: MadeSample[] = [];
  readonly #detector: string;

  constructor(detector: string) {
    this.#detector = detector;
  }

  /** The detector answers as expected; `forbid`: others must not. */
  positive(
    name: string,
    note: string,
    files: Files,
    expect: Omit<Expectation, 'detector'>,
    forbid: string[] = [],
  ): this {
    const expected = [{ detector: this.#detector, ...expect }];
    return this.#add(`positive-${name}`, files, { expect: expected, forbid, note });
  }

  /** All as in a positive sample but for the one condition that the note names: the detector stays silent. */
  negative(name: string, note: string, files: Files): this {
    return this.#add(`negative-${name}`, files, { expect: [], forbid: [this.#detector], note });
  }

  #add(name: string, files: Files, label: Omit<MadeSample['label'], 'inputs'>): this {
    const inputs = Object.keys(files);
    this.made.push({ detector: this.#detector, name, files, label: { inputs, ...label } });
    return this;
  }
}
