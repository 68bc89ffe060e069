/** Fields longer than this in all are no row. */
const MAX_ROW_CHARS = 64 * 2 ** 20;

/**
 * Takes CSV (RFC 4180) apart as it arrives: quotes, doubled quotes, line breaks inside quotes.
 */
export class CsvRows {
  #row: string[] = [];
  #field = '';
  #fieldWasQuoted = false;
  #inQuotes = false;
  #quoteBefore = false;
  #rowChars = 0;

  /** Rows that `text` completes. A row that is too long comes as null. */
  push(text: string): (string[] | null)[] {
    const rows: (string[] | null)[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (this.#inQuotes) {
        const quote = text.indexOf('"', at);
        if (quote < 0) break;
        this.#append(text, from, quote);
        from = quote + 1;
        at = quote;
        this.#inQuotes = false;
        this.#quoteBefore = true;
        continue;
      }
      const char = text[at];
      if (char === '"') {
        if (this.#quoteBefore) this.#append('"', 0, 1);
        this.#append(text, from, at);
        from = at + 1;
        this.#inQuotes = true;
        this.#fieldWasQuoted = true;
      } else if (char === ',') {
        this.#append(text, from, at);
        from = at + 1;
        this.#endField();
      } else if (char === '\n') {
        this.#append(text, from, at);
        from = at + 1;
        rows.push(...this.#endRow());
      }
      this.#quoteBefore = false;
    }
    this.#append(text, from, text.length);
    return rows;
  }

  /** Ends the input. `cut`: it ended inside quotes. */
  end(): { rows: (string[] | null)[]; cut: boolean } {
    const cut = this.#inQuotes;
    return { rows: this.#endRow(), cut };
  }

  #append(text: string, from: number, to: number): void {
    this.#rowChars += to - from;
    if (this.#rowChars <= MAX_ROW_CHARS) this.#field += text.slice(from, to);
  }

  #endField(): void {
    this.#row.push(this.#fieldWasQuoted ? this.#field : this.#field.replace(/\r$/, ''));
    this.#field = '';
    this.#fieldWasQuoted = false;
  }

  #endRow(): (string[] | null)[] {
    const isEmpty = this.#row.length === 0 && this.#field === '' && !this.#fieldWasQuoted;
    const isBlank = isEmpty || (this.#row.length === 0 && this.#field === '\r');
    const isTooLong = this.#rowChars > MAX_ROW_CHARS;
    this.#endField();
    const row = this.#row;
    this.#row = [];
    this.#rowChars = 0;
    if (isTooLong) return [null];
    return isBlank ? [] : [row];
  }
}
